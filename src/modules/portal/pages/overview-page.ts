import { say } from '#kernel/say'
import { cardBrandName } from '#kernel/card-brands'
import type { FastifyReply } from 'fastify'
import { html, type Html } from '#platform/http/html'

import { currentCycle, dateText, moneyOf } from './amounts.ts'
import { type PortalRequest, show } from './page-request.ts'
import { intervalText } from './interval-text.ts'
import type { CycleResponse, DueOrderResponse, PlanResponse, TokenResponse } from './responses.ts'

export async function showOverview(page: PortalRequest): Promise<FastifyReply> {
  const { t } = page
  const { plans, next_bills: nextBills, due_orders: dueOrders } = await page.call('GET /overview')
  const card = await defaultCard(page)
  return show(page, {
    title: t.plans,
    path: '',
    body: html`${plans.length === 0 && html`<p>${t.noPlans}</p>`}
    ${plans.map((plan) => {
      const due = dueOrders.filter((one) => one.plan_id === plan.id)
      const next = nextBills.find((bill) => bill.plan_id === plan.id)
      return html`<section class="status">
        <h2>${plan.name}</h2>
        ${planSummary(page, plan, due)}
        ${
          next !== undefined &&
          html`<p>${nextBillText(page, moneyOf(page, next.currency, next.amount), next.date)}</p>
            ${card !== undefined && html`<p class="hint">${card}</p>`}`
        }
        <p class="actions">
          <a class="button${due.length > 0 && ' quiet'}" href="${page.to(`/plans/${plan.id}`)}"
            >${t.manage}<span class="visually-hidden"> ${plan.name}</span></a
          >
        </p>
      </section>`
    })}`,
  })
}

export function planSummary(
  page: PortalRequest,
  plan: PlanResponse,
  dueOrders: readonly DueOrderResponse[],
): Html {
  const { t } = page
  const states: Readonly<Record<string, string>> = t.states
  return html`<p class="state">${states[plan.state] ?? plan.state}</p>
    ${itemsTable(page, currentCycle(plan))}
    ${plan.trial?.state === 'running' && html`<p>${say(t.trialUntil, { date: dateText(page, plan.trial.end) })}</p>`}
    ${plan.pause_until !== undefined && html`<p>${say(t.pausedUntil, { date: dateText(page, plan.pause_until) })}</p>`}
    ${plan.cancel_at !== undefined && html`<p>${say(t.endsOn, { date: dateText(page, plan.cancel_at) })}</p>`}
    ${dueOrders.map((due) => dueOrder(page, due))}`
}

/** Whoever only looks at the page sees what is left to pay, and no link to pay it. */
function dueOrder({ words, language, session }: PortalRequest, due: DueOrderResponse): Html {
  const amount = moneyOf({ language }, due.currency, due.amount)
  return html`<table>
      <tbody>
        <tr>
          <th scope="row">
            ${words.leftToPay}<span class="expires"
              >${say(words.order, { number: due.reference_number })}</span
            >
          </th>
          <td>${amount}</td>
        </tr>
      </tbody>
    </table>
    ${due.payment_link !== undefined && !session.isReadOnly && html`<p class="actions"><a class="button" href="${due.payment_link}">${say(words.payAmount, { amount })}</a></p>`}`
}

function itemsTable(page: PortalRequest, cycle: CycleResponse | undefined): Html {
  if (cycle === undefined) return html``
  const interval = intervalText(page.language, cycle.recurring_billing_config)
  return html`<table>
    <tbody>
      ${cycle.recurring_items.map(
        ({ label = '', quantity, price, currency }) =>
          html`<tr>
            <th scope="row">${label}</th>
            <td>
              ${quantity > 1 && html`${quantity} × `}<bdi>${moneyOf(page, currency, price)}</bdi> /
              <bdi>${interval}</bdi>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

export function nextBillText(page: PortalRequest, amount: string, date: string): string {
  return say(page.t.nextBill, { amount, date: dateText(page, date) })
}

/** What plans are charged to; undefined where the customer may not see it. */
export async function defaultCard(page: PortalRequest): Promise<string | undefined> {
  if (page.allow.payment_methods === false) return undefined
  const { payment_tokens: tokens } = await page.call('GET /payment_tokens')
  const token = tokens?.find((one) => one.default && one.state === 'active')
  return token === undefined ? page.t.noCard : say(page.t.chargedTo, { card: tokenName(page, token) })
}

export function tokenName({ words }: PortalRequest, token: TokenResponse): string {
  if (token.token_type === 'WalletAPayAutoDebit') return words.walletAPay
  if (token.token_type === 'WalletBAutoDebit') return words.walletB
  const { brand = '', number = '' } = token.credit_card ?? {}
  return `${cardBrandName(brand) ?? words.card} •••• ${number.slice(-4)}`
}
