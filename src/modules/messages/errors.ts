import { defineErrors } from '#kernel/errors'

export const errors = defineErrors({
  message_not_found: {
    status: 404,
    number: 86,
    type: 'not_found',
    message: 'There is no such message.',
  },
  message_template_not_found: {
    status: 404,
    number: 85,
    type: 'not_found',
    message: 'The business has no template of this kind in this language.',
  },
  suppression_not_found: {
    status: 404,
    number: 84,
    type: 'not_found',
    message: 'The address is not suppressed.',
  },
  message_erased: {
    status: 409,
    number: 52,
    type: 'conflict',
    message: 'The personal data of the customer was erased, so the message is empty.',
  },
  recipient_missing: {
    status: 409,
    number: 51,
    type: 'conflict',
    message: 'The customer has no e-mail address to which messages go.',
    recommendedAction: 'Set the e-mail of the customer, or invoice_email of its billing details.',
  },
  no_address_of_caller: {
    status: 409,
    number: 24,
    type: 'conflict',
    message: 'A test is sent to the user who asks for it, and an API key has no e-mail address.',
  },
  mail_server_missing: {
    status: 409,
    number: 31,
    type: 'conflict',
    message: 'The service has no mail server.',
    recommendedAction: 'Start the service with SMTP_URL and MAIL_FROM.',
  },
  placeholder_unknown: {
    status: 422,
    number: 110,
    type: 'invalid_request',
    message: 'The template has placeholders that no message has a value for.',
  },
  bounce_invalid: {
    status: 422,
    number: 111,
    type: 'invalid_request',
    message: 'A bounce names a message or an address, not both.',
  },
})
