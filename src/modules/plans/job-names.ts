export const RECURRING_JOB = 'recurring'
