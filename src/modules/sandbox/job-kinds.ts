/** The name of the module's due work, as stored in `due_heads`. */
export const CLOCK_ADVANCE = 'clock_advance'
