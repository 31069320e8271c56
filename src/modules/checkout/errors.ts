import { defineErrors } from '#kernel/errors'

/** Numbers 93 to 95 are this module's. Pages say it in the payer's words; programs that follow a link read the reason. */
export const errors = defineErrors({
  page_not_found: {
    status: 404,
    number: 93,
    type: 'not_found',
    message: 'There is no such page. Its address is not one that we made.',
  },
  link_expired: {
    status: 410,
    number: 93,
    type: 'not_found',
    message: 'The link is too old.',
    recommendedAction: 'Ask the merchant for a new one.',
  },
  order_closed: {
    status: 410,
    number: 94,
    type: 'not_found',
    message: 'The order was voided or has expired.',
  },
})
