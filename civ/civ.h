// The library in one header, for programs that use it (docs/library.md): rules, views, notation,
// guide and bots.
#pragma once

// IWYU pragma: begin_exports
#include "civ/bots/bot.h"
#include "civ/bots/playout.h"
#include "civ/guide/guide.h"
#include "civ/guide/look.h"
#include "civ/notation/checked.h"
#include "civ/notation/json.h"
#include "civ/notation/notation.h"
#include "civ/notation/record.h"
#include "civ/notation/referee.h"
#include "civ/rules/check.h"
#include "civ/rules/perft.h"
#include "civ/rules/rules.h"
#include "civ/rules/why.h"
#include "civ/view/deal.h"
#include "civ/view/knowledge.h"
#include "civ/view/random.h"
#include "civ/view/sample.h"
#include "civ/view/view.h"
// IWYU pragma: end_exports
