/** The time in milliseconds after which a wait is taken to hang: far more than it takes on a busy machine. */
export const hangLimitMs = 300_000
