/** Stored in `next_runs`. */
export const RECURRING_JOB = 'recurring'
