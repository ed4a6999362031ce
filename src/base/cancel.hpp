#pragma once

namespace espalier {

/// Throws Cancelled if the current task of parallel() has been cancelled. For loops inside a task:
/// it calls Context::cancelled every 20 milliseconds at most, and otherwise only reads the clock.
/// Does nothing outside of parallel().
void check_cancelled();

}  // namespace espalier
