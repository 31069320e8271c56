/** The time of reference/users#sessions. */
export const SESSION_SECONDS = 7 * 86_400
