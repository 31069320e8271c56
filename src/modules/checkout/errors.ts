import { defineErrors } from '#kernel/errors'

export const errors = defineErrors({
  page_not_found: {
    status: 404,
    number: 93,
    type: 'not_found',
    message: 'There is no such page. Check the address.',
  },
  link_expired: {
    status: 410,
    number: 93,
    type: 'not_found',
    message: 'The link has expired.',
    recommendedAction: 'Ask the merchant for a new link.',
  },
  order_closed: {
    status: 410,
    number: 94,
    type: 'not_found',
    message: 'The order was voided or has expired.',
  },
})
