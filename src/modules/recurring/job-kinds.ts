/** The name of the module's due work, as stored in `next_runs`. */
export const RECURRING_DUE = 'recurring'
