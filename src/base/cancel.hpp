#pragma once

namespace espalier {

/// Throws Cancelled if the work that parallel() has this thread do has been cancelled. For loops
/// inside a task: it asks every 20 milliseconds at most, and else only looks at the clock. Outside
/// of parallel() it does nothing.
void check_cancelled();

}  // namespace espalier
