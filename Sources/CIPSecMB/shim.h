// intel-ipsec-mb, as Debian installs it.
#pragma once
#include <intel-ipsec-mb.h>
