/** The name of the module's due work, as stored in `due_heads`. */
export const BINDING_INQUIRIES = 'payment_token_inquiries'
