// libcsv, as Debian installs it.
#pragma once
#include <stdio.h>
#include <csv.h>
