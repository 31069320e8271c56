export const CLOCK_ADVANCE = 'clock_advance'
