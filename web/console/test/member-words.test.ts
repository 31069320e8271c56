import { expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { platformErrors } from '../../../src/platform/errors.ts'
import { listErrors } from '../../../src/platform/http/openapi/error-catalogue.ts'
import { composeUnconnected } from '../../../scripts/compose-unconnected.ts'
import { inWords } from '../src/components/member-words.ts'

test.each([
  ['tax_rate.valid_until must be a date.', 'tax_rate.valid_until', 'Valid until must be a date.'],
  [
    'invoice.lines[1].unit_amount must be at least 0.',
    'invoice.lines[1].unit_amount',
    'Unit amount (no. 2) must be at least 0.',
  ],
  [
    'endpoint.url must not lead to a private address.',
    'endpoint.url',
    'URL must not lead to a private address.',
  ],
  ['scopes[0] is not a scope.', 'scopes[0]', 'Scopes (no. 1) is not a scope.'],
  ['amount must be at most 5.00.', 'amount', 'Amount must be at most 5.00.'],
  [
    'invitation.email must be an e-mail address such as jo@example.com.',
    'invitation.email',
    'E-mail address must be an e-mail address such as jo@example.com.',
  ],
  [
    'account.api_base must be at api.stripe.com; ask ord_01kanq3x5kf0vsd2pjtwyt7cyr about payments:write.',
    'account.api_base',
    'Api base must be at api.stripe.com; ask ord_01kanq3x5kf0vsd2pjtwyt7cyr about payments:write.',
  ],
])('"%s" is said in words', (text, param, said) => {
  expect(inWords(text, param)).toBe(said)
})

/** Only programs see these: the console sends no such request, or never shows the reply. */
const FOR_PROGRAMS =
  /^(?:malformed_|body_|unknown_|missing_|duplicate_|invalid_(?:member|query_value|path|header|filter)|unsupported_media|signature_|headers_|offset_|app_|business_mismatch|unauthenticated|api_key_expired|cross_site|too_many_metadata|public_key_|notice_|acquirer_token_not|credit_card_|one_of_order|order_or_transaction|identifier_|timeout_|plan_timeout|bulk_(?:options|selection)|advance_|user_id_not|blockchain_|hook_url|request_timeout|sign_in_refused|clock_cannot|portal_(?:session_ended|not_allowed)|payment_token_or_method|account_of_wallets)/

test('what an English page shows of an error names no member, path or header', async () => {
  const own = JSON.parse(
    readFileSync(new URL('../src/locales/en/refusals.json', import.meta.url), 'utf8'),
  ) as Record<string, { readonly message?: string; readonly action?: string }>
  const { catalogues } = await composeUnconnected()
  const shown = listErrors([platformErrors.catalogue, ...catalogues])
    .filter(({ reason }) => !FOR_PROGRAMS.test(reason))
    .flatMap(({ reason, message, recommendedAction: action }) => [
      [`${reason}.message`, own[reason]?.message ?? inWords(message, undefined)] as const,
      [`${reason}.action`, own[reason]?.action ?? action ?? ''] as const,
    ])
  const technical =
    /[a-z]_[a-z]|\bdata\.|\bISO\b|\bIANA\b|Idempotency-Key|Retry-After|\b(?:GET|POST|PUT|DELETE)\b|\bbody\b|\bnull\b|\b[Ss]end (?!them|money)/
  expect(shown.filter(([, text]) => technical.test(text.replaceAll('ALLOW_PRIVATE_WEBHOOKS', '')))).toEqual(
    [],
  )
})
