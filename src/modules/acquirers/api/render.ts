import type { Static } from 'typebox'
import { toRfc3339 } from '#kernel/clock'
import { rawNumber } from '#kernel/json'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import type { AccountView } from '../model/account.ts'
import type { DomainFile } from '../model/domain-file.ts'
import type { RoutePreview } from '../routing/preview-routing.ts'
import type { RoutingRule } from '../model/rule.ts'
import type { Routing } from '../storage/routing.repository.ts'
import type { AccountData, AccountSchema, PreviewSchema, RoutingData, RuleSchema } from './schemas.ts'

export function renderAccountData(view: AccountView): Static<typeof AccountData> {
  return { acquirer_account: renderAccount(view) }
}

export function renderAccountsPage(request: PageRequest, found: readonly AccountView[]) {
  const keyOf = ({ account }: AccountView) => ({ at: account.createdAt, id: account.id })
  const { rows, page } = renderPage(request, found, keyOf, renderAccount)
  return { acquirer_accounts: rows, page }
}

function renderAccount({ account, webhookUrl, domainFile }: AccountView): Static<typeof AccountSchema> {
  return {
    id: account.id,
    acquirer: account.acquirer,
    name: account.name,
    state: account.state,
    webhook_url: webhookUrl,
    api_base: account.apiBase,
    merchant_id: account.merchantId,
    ...(account.statementDescriptor !== null && { statement_descriptor: account.statementDescriptor }),
    methods: [...account.methods],
    currencies: [...account.currencies],
    raw_card_numbers: account.rawCardNumbers,
    ...renderWallets(account),
    ...(domainFile !== undefined && renderDomainFile(domainFile)),
    created_at: toRfc3339(account.createdAt),
    updated_at: toRfc3339(account.updatedAt),
  }
}

function renderWallets({ wallets: { walletA, walletB } }: AccountView['account']) {
  if (walletA === null && walletB === null) return {}
  return {
    wallets: {
      ...(walletA !== null && { wallet_a: walletA }),
      ...(walletB !== null && { wallet_b: walletB }),
    },
  }
}

function renderDomainFile({ content, domain, state, message }: DomainFile) {
  return {
    apple_pay_domain_file: content,
    apple_pay_domain: { name: domain, state, ...(message !== null && { message }) },
  }
}

export function renderRoutingData(routing: Routing | undefined): Static<typeof RoutingData> {
  return {
    routing: {
      rules: (routing?.rules ?? []).map(renderRule),
      updated_at: routing === undefined ? null : toRfc3339(routing.updatedAt),
    },
  }
}

function renderRule({ when, accounts, by, fallback }: RoutingRule): Static<typeof RuleSchema> {
  return {
    when: {
      ...when,
      ...(when.min_amount !== undefined && { min_amount: rawNumber(when.min_amount) }),
      ...(when.max_amount !== undefined && { max_amount: rawNumber(when.max_amount) }),
    },
    accounts: [...accounts],
    ...(by !== undefined && { by }),
    fallback: [...fallback],
  }
}

export function renderPreview({ decision, candidates }: RoutePreview): Static<typeof PreviewSchema> {
  const { rule, account, fallback } = decision
  return {
    rule,
    account,
    fallback: [...fallback],
    reason: reasonOf(rule, account),
    candidates: candidates.map(({ id, leftOut, successRate, averageMs }) => ({
      id,
      left_out: leftOut,
      success_rate: successRate,
      latency_ms: averageMs === null ? null : Math.round(averageMs),
    })),
  }
}

function reasonOf(rule: number | null, account: string | null): string {
  if (account === null) return 'No account can take this payment.'
  if (rule === null)
    return `No rule decides; ${account} is the oldest active account that can take the payment.`
  return `Rule ${rule} is the first that matches and has an account that can take the payment.`
}
