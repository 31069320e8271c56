import { defineErrors } from '#kernel/errors'
import { USE_A_PUBLIC_URL } from '#platform/errors'

export const errors = defineErrors({
  legal_entity_not_found: {
    status: 404,
    number: 13,
    type: 'not_found',
    message: 'There is no such legal entity.',
  },
  tax_rate_not_found: {
    status: 404,
    number: 14,
    type: 'not_found',
    message: 'There is no such tax rate.',
  },
  tax_engine_not_found: {
    status: 404,
    number: 16,
    type: 'not_found',
    message: 'The business has no tax engine.',
  },
  series_not_found: {
    status: 404,
    number: 15,
    type: 'not_found',
    message: 'The legal entity has no such series.',
  },
  tax_rate_overlap: {
    status: 409,
    number: 22,
    type: 'conflict',
    message: 'Another rate of this country, region, category and name is valid at the same time.',
    recommendedAction: 'First set valid_until of the other rate, whose id is in data.tax_rate.',
  },
  tax_rate_limit: {
    status: 409,
    number: 23,
    type: 'conflict',
    message: 'More than 20 tax rates would apply to one line.',
    recommendedAction: 'First set valid_until of other rates, or limit the rates to regions or categories.',
  },
  tax_rate_adds_up: {
    status: 409,
    number: 104,
    type: 'conflict',
    message: 'Another rate is valid at the same time, and both would tax the same lines.',
    recommendedAction:
      'Send replaces with the id of the rate that ends, or adds: true if lines pay the sum, which is in data.sum.',
  },
  tax_rate_used: {
    status: 409,
    number: 105,
    type: 'conflict',
    message: 'The tax rate is on documents, so it cannot be removed.',
    recommendedAction: 'Set its valid_until instead.',
  },
  period_locked: {
    status: 409,
    number: 30,
    type: 'conflict',
    message: 'The day is in a month that is closed.',
    recommendedAction:
      'Use a day after locked_until of the billing settings. Only an owner can move it back.',
  },
  exchange_rate_missing: {
    status: 409,
    number: 89,
    type: 'conflict',
    message:
      'There is no exchange rate of the day, or of the seven days before it, between the currency of the document and that of its seller.',
    recommendedAction: 'Add the rate with PUT /exchange_rates. data.exchange_rates says which.',
  },
  owner_required: {
    status: 403,
    number: 71,
    type: 'permission_denied',
    message: 'Only an owner of the business can open closed months again, signed in to the console.',
  },
  tax_rate_invalid: {
    status: 422,
    number: 48,
    type: 'invalid_request',
    message: 'Members of the tax rate contradict each other.',
  },
  exchange_rate_invalid: {
    status: 422,
    number: 106,
    type: 'invalid_request',
    message: 'An exchange rate is not valid.',
  },
  csv_invalid: {
    status: 422,
    number: 54,
    type: 'invalid_request',
    message: 'Some lines of the CSV text cannot be imported, so none was. data.lines says which, and why.',
  },
  tax_engine_url_not_allowed: {
    status: 422,
    number: 67,
    type: 'invalid_request',
    message: 'tax_engine.url must not point to a private or local address.',
    recommendedAction: USE_A_PUBLIC_URL,
  },
  tax_id_invalid: {
    status: 422,
    number: 22,
    type: 'invalid_request',
    message:
      'The tax id is not a VAT id of a state of the EU, of Northern Ireland (XI) or of Great Britain (GB).',
    recommendedAction:
      'Send a VAT id with its prefix, such as DE136695976, and a tax id of another country with its type.',
  },
  tax_id_country_mismatch: {
    status: 422,
    number: 23,
    type: 'invalid_request',
    message: 'The prefix of the tax id does not match the country of the address.',
  },
  invoicing_incomplete: {
    status: 422,
    number: 24,
    type: 'invalid_request',
    message: 'Tax and send_invoice need a legal entity.',
    recommendedAction: 'Send legal_entity_id, or set it in the billing settings.',
  },
  number_format_invalid: {
    status: 422,
    number: 29,
    type: 'invalid_request',
    message: 'The format of a number must hold {SEQ:n} exactly once, and may hold {YYYY}, {YY} and {MM}.',
  },
  bank_invalid: {
    status: 422,
    number: 104,
    type: 'invalid_request',
    message: 'The bank account is not valid.',
    recommendedAction: 'Send an IBAN, or an account number of letters and digits.',
  },
  electronic_address_invalid: {
    status: 422,
    number: 105,
    type: 'invalid_request',
    message: 'The electronic address is not valid in its scheme.',
    recommendedAction: 'Correct a digit, or choose another scheme, such as EM for an e-mail address.',
  },
  legal_entity_invalid: {
    status: 422,
    number: 43,
    type: 'invalid_request',
    message: 'Members of the legal entity contradict each other.',
  },
  accounts_invalid: {
    status: 422,
    number: 99,
    type: 'invalid_request',
    message: 'An account of the settings is not valid.',
  },
  write_off_invalid: {
    status: 422,
    number: 85,
    type: 'invalid_request',
    message: 'An amount up to which a match writes off the rest is not valid.',
  },
})
