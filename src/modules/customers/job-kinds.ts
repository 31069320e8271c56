/** The name of the module's due work, as stored in `next_runs`. */
export const BINDING_INQUIRIES = 'payment_token_inquiries'
