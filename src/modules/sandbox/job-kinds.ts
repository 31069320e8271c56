/** Name of the job in `next_runs`. */
export const CLOCK_ADVANCE = 'clock_advance'
