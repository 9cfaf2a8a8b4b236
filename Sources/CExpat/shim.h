// Expat, as Debian installs it.
#pragma once
#include <expat.h>
