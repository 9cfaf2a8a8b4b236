// minizip, as Debian installs it.
#pragma once
#include <minizip/unzip.h>
