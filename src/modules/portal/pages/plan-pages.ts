import { say } from '#kernel/say'
import type { FastifyReply } from 'fastify'
import { toRfc3339 } from '#kernel/clock'
import type { RequestError } from '#kernel/errors'
import { parseJson } from '#kernel/json'
import type { Money } from '#kernel/money'
import { renderPlanData } from '#modules/billing'
import { findOfferedItems, type RecurringItem } from '#modules/catalogue'
import type { PlanView } from '#modules/plans'

import { moneyOnPage } from '#platform/documents/payer-figures'
import { html, type Html } from '#platform/http/html'
import { errors } from '../errors.ts'
import { dueOrdersOf, renderDueOrder } from '../plans/due-orders.ts'
import { requireOwnPlan } from '../plans/own-plan.ts'
import { hasHadOffer } from '../storage/offer.repository.ts'
import { currentCycle, dateText, moneyOf, numeralOf } from './amounts.ts'
import { attemptField, fieldProblem, isAbout, numberOf, wrongField } from './form-fields.ts'
import { intervalText } from './interval-text.ts'
import { defaultCard, nextBillText, planSummary } from './overview-page.ts'
import { submit, type PortalRequest, type Problem, redirect, show } from './page-request.ts'
import type { DueOrderResponse, LineResponse, PlanResponse } from './responses.ts'

async function requireView(page: PortalRequest): Promise<PlanView> {
  return requireOwnPlan(page.ctx, await page.visitor(), page.params['id'] ?? '')
}

/** As a page of the merchant would read it. */
function responseOf(rendered: object): unknown {
  return parseJson(JSON.stringify(rendered))
}

async function requirePlan(page: PortalRequest): Promise<PlanResponse> {
  return responseOf(renderPlanData(await requireView(page)).plan) as PlanResponse
}

const ENDED = new Set(['canceled', 'completed'])

/** @param total what a reactivation bills, where that is not the price */
export async function showPlan(page: PortalRequest, problem?: Problem, total?: Money): Promise<FastifyReply> {
  const { t, allow } = page
  const view = await requireView(page)
  const plan = responseOf(renderPlanData(view).plan) as PlanResponse
  const path = `/plans/${plan.id}`
  const hasEnded = ENDED.has(plan.state)
  const { caller } = await page.visitor()
  const next = (await page.ctx.billing.nextBills(caller, [plan.id])).get(plan.id)
  const dueOrders = await dueOrdersOf(page.ctx, page.brand.businessId, [view])
  const due = responseOf(dueOrders.map(renderDueOrder)) as DueOrderResponse[]
  const card = await defaultCard(page)
  const isPaused = plan.state === 'paused'
  const actions = [
    !hasEnded && allow.change !== undefined && link(page, `${path}/change`, t.change),
    !hasEnded && !isPaused && allow.pause !== undefined && link(page, `${path}/pause`, t.pause),
    isPaused && allow.pause !== undefined && button(page, `${path}/resume`, t.resume),
    !hasEnded &&
      plan.cancel_at === undefined &&
      allow.cancel !== undefined &&
      link(page, `${path}/cancel`, t.cancel),
    plan.cancel_at !== undefined &&
      allow.cancel !== undefined &&
      button(page, `${path}/uncancel`, t.keepPlan),
    plan.state === 'canceled' && allow.reactivate && reactivateForm(page, plan, total),
  ].filter((one) => one !== false)
  return show(page, {
    title: plan.name,
    path,
    problem,
    body: html`<section class="status">
        ${planSummary(page, plan, due)}
        ${
          next !== undefined &&
          html`<p>${nextBillText(page, moneyOnPage(page.language, next.total), toRfc3339(next.at))}</p>
            ${card !== undefined && html`<p class="hint">${card}</p>`}`
        }
      </section>
      ${actions.length > 0 && html`<div class="actions">${actions}</div>`}`,
  })
}

function link(page: PortalRequest, path: string, label: string): Html {
  return html`<a class="button quiet" href="${page.to(path)}">${label}</a>`
}

function button(page: PortalRequest, path: string, label: string): Html {
  return html`<form method="post" action="${page.to(path)}">
    ${attemptField()}<button type="submit" class="quiet">${label}</button>
  </form>`
}

/**
 * The button names the price. Where coupons, credit or taxes make another total of it, nothing is charged, and the page is shown
 * again with that total on the button.
 */
function reactivateForm(page: PortalRequest, plan: PlanResponse, total?: Money): Html {
  const cycle = currentCycle(plan)
  const currency = cycle?.recurring_items[0]?.currency
  if (cycle === undefined || currency === undefined) return html``
  const expected = total?.toString() ?? numeralOf(cycle.billing_amount)
  const shown =
    total === undefined ? moneyOf(page, currency, cycle.billing_amount) : moneyOnPage(page.language, total)
  return html`<form method="post" action="${page.to(`/plans/${plan.id}/reactivate`)}">
    ${attemptField()}<input type="hidden" name="expected_total" value="${expected}" />
    <button type="submit">${page.t.comeBack} · ${shown}</button>
  </form>`
}

/** A form without fields, whose problem the page of the plan shows. */
const planAction =
  (operation: string) =>
  (page: PortalRequest): Promise<FastifyReply> =>
    submit(
      page,
      async () => {
        const { id = '' } = page.params
        await page.call(operation, { params: { id }, body: {}, attempt: page.form.get('attempt') })
        return redirect(page, `/plans/${id}`)
      },
      (problem) => showPlan(page, problem),
    )

export const resumePlan = planAction('POST /plans/:id/resume')
export const uncancelPlan = planAction('POST /plans/:id/uncancel')
export const acceptOffer = planAction('POST /plans/:id/accept_offer')

export function reactivatePlan(page: PortalRequest): Promise<FastifyReply> {
  return submit(
    page,
    async () => {
      const { id = '' } = page.params
      await page.call('POST /plans/:id/reactivate', {
        params: { id },
        body: { expected_total: numberOf(page, 'expected_total') },
        attempt: page.form.get('attempt'),
      })
      return redirect(page, `/plans/${id}`)
    },
    (problem, error) => showPlan(page, problem, totalOf(error)),
  )
}

function totalOf({ reason, detail }: RequestError): Money | undefined {
  return reason === 'total_changed' ? (detail.data as { readonly total: Money }).total : undefined
}

export async function showPause(page: PortalRequest, problem?: Problem): Promise<FastifyReply> {
  const { t, words, allow } = page
  if (allow.pause === undefined) throw errors.portal_not_allowed()
  const plan = await requirePlan(page)
  return show(page, {
    title: t.pause,
    path: `/plans/${plan.id}/pause`,
    problem,
    marksField: isAbout(problem, 'until'),
    body: html`<section class="status">
      <p>${say(t.pauseText, { days: String(allow.pause.max_days) })}</p>
      <form method="post" action="${page.to(`/plans/${plan.id}/pause`)}">
        ${attemptField()}
        <div class="field">
          <label for="until">${t.pauseUntil}</label>
          <input
            id="until"
            name="until"
            type="date"
            value="${page.form.get('until') ?? ''}"
            ${wrongField(isAbout(problem, 'until'))}
          />
          ${fieldProblem(problem, isAbout(problem, 'until'))}
        </div>
        <button type="submit">${t.pause}</button>
        <p class="cancel">
          <a href="${page.to(`/plans/${plan.id}`)}">${words.goBack.replace('{name}', () => plan.name)}</a>
        </p>
      </form>
    </section>`,
  })
}

export function pausePlan(page: PortalRequest): Promise<FastifyReply> {
  return submit(
    page,
    async () => {
      const { id = '' } = page.params
      const until = page.form.get('until') ?? ''
      await page.call('POST /plans/:id/pause', {
        params: { id },
        body: until === '' ? {} : { until },
        attempt: page.form.get('attempt'),
      })
      return redirect(page, `/plans/${id}`)
    },
    (problem) => showPause(page, problem),
  )
}

export async function showCancel(page: PortalRequest, problem?: Problem): Promise<FastifyReply> {
  const { t, words, allow, form } = page
  if (allow.cancel === undefined) throw errors.portal_not_allowed()
  const plan = await requirePlan(page)
  const { reasons, offer_coupon_id: offer } = allow.cancel
  const isOffered =
    offer !== undefined &&
    !(await page.ctx.db.transact(page.brand.businessId, (tx) => hasHadOffer(tx, plan.id)))
  const path = `/plans/${plan.id}`
  return show(page, {
    title: t.cancel,
    path: `${path}/cancel`,
    problem,
    body: html`${
        isOffered &&
        html`<section class="status">
          <h2>${t.offerTitle}</h2>
          <p>${t.offerText}</p>
          <form method="post" action="${page.to(`${path}/accept_offer`)}">
            ${attemptField()}<button type="submit">${t.acceptOffer}</button>
          </form>
        </section>`
      }
      <section class="status">
        <p>${t.cancelText}</p>
        <form method="post" action="${page.to(`${path}/cancel`)}">
          ${attemptField()}
          <fieldset class="methods">
            <legend>${t.reason}</legend>
            ${reasons.map((reason) => html`<label class="choice"><input type="radio" name="reason" value="${reason}" required ${reason === form.get('reason') && html` checked`} /><span>${reason}</span></label>`)}
          </fieldset>
          <div class="field">
            <label for="comment">${t.comment}</label>
            <input
              id="comment"
              name="comment"
              type="text"
              maxlength="1000"
              value="${form.get('comment') ?? ''}"
            />
          </div>
          <button type="submit" class="quiet">${t.cancel}</button>
          <p class="cancel">
            <a href="${page.to(path)}">${words.goBack.replace('{name}', () => plan.name)}</a>
          </p>
        </form>
      </section>`,
  })
}

export function cancelPlan(page: PortalRequest): Promise<FastifyReply> {
  return submit(
    page,
    async () => {
      const { id = '' } = page.params
      const comment = page.form.get('comment') ?? ''
      await page.call('POST /plans/:id/cancel', {
        params: { id },
        body: { reason: page.form.get('reason') ?? '', ...(comment !== '' && { comment }) },
        attempt: page.form.get('attempt'),
      })
      return redirect(page, `/plans/${id}`)
    },
    (problem) => showCancel(page, problem),
  )
}

/** A credit and a charge have the same label, that of the price. */
function lineText({ words }: PortalRequest, { label, kind, units = 1 }: LineResponse): string {
  const text = units === 1 ? label : `${label} × ${units}`
  return kind === 'proration_credit' ? `${text} · ${words.credit}` : text
}

export async function showChange(page: PortalRequest, problem?: Problem): Promise<FastifyReply> {
  const { t, words, allow, form } = page
  if (allow.change === undefined) throw errors.portal_not_allowed()
  const plan = await requirePlan(page)
  const path = `/plans/${plan.id}`
  const prices = await offered(page)
  const cycle = currentCycle(plan)
  const current = cycle?.recurring_items[0]
  const interval = cycle === undefined ? '' : intervalText(page.language, cycle.recurring_billing_config)
  return show(page, {
    title: t.change,
    path: `${path}/change`,
    problem,
    marksField: isAbout(problem, 'quantity'),
    body: html`<section class="status">
      <form method="post" action="${page.to(`${path}/change`)}">
        <fieldset class="methods">
          <legend>${t.choosePrice}</legend>
          ${prices.map(
            (item) =>
              html`<label class="choice"
                ><input
                  type="radio"
                  name="price"
                  value="${item.id}"
                  required
                  ${item.id === (form.get('price') ?? current?.id) && html` checked`}
                />
                <span
                  >${item.label ?? item.id}<span class="expires"
                    ><bdi>${moneyOnPage(page.language, item.price)}</bdi> / <bdi>${interval}</bdi></span
                  ></span
                ></label
              >`,
          )}
        </fieldset>
        <div class="field">
          <label for="quantity">${words.quantity}</label>
          <input
            id="quantity"
            name="quantity"
            inputmode="numeric"
            pattern="[0-9]{1,9}"
            value="${form.get('quantity') ?? current?.quantity ?? 1}"
            required
            ${wrongField(isAbout(problem, 'quantity'))}
          />
          ${fieldProblem(problem, isAbout(problem, 'quantity'))}
        </div>
        <button type="submit">${t.preview}</button>
        <p class="cancel">
          <a href="${page.to(path)}">${words.goBack.replace('{name}', () => plan.name)}</a>
        </p>
      </form>
    </section>`,
  })
}

async function offered(page: PortalRequest): Promise<RecurringItem[]> {
  const ids = page.allow.change?.price_ids ?? []
  const found = await page.ctx.db.transact(page.brand.businessId, (tx) => findOfferedItems(tx, ids))
  return ids.flatMap((id) => {
    const one = found.get(id)
    return one === undefined || one.isArchived ? [] : [one.item]
  })
}

/** The first item of the plan becomes the price that was chosen; others stay as they are. */
function choiceOf(page: PortalRequest, plan: PlanResponse) {
  const [, ...others] = currentCycle(plan)?.recurring_items ?? []
  const quantity = Number(page.form.get('quantity') ?? '1')
  return [
    { recurring_item_id: page.form.get('price') ?? '', quantity },
    ...others.map((item) => ({ recurring_item_id: item.id, quantity: item.quantity })),
  ]
}

export function changePlan(page: PortalRequest): Promise<FastifyReply> {
  const isConfirmed = page.form.has('expected_total')
  return submit(
    page,
    async () => {
      const plan = await requirePlan(page)
      const choice = { recurring_items: choiceOf(page, plan) }
      if (!isConfirmed) return showPreview(page, plan, choice)
      await page.call('POST /plans/:id/change', {
        params: { id: plan.id },
        body: { change: { ...choice, expected_total: numberOf(page, 'expected_total') } },
        attempt: page.form.get('attempt'),
      })
      return redirect(page, `/plans/${plan.id}`)
    },
    (problem) => showChange(page, problem),
  )
}

async function showPreview(page: PortalRequest, plan: PlanResponse, choice: object): Promise<FastifyReply> {
  const { t, words, form } = page
  const { change, orders } = await page.call('POST /plans/:id/change/preview', {
    params: { id: plan.id },
    body: { change: choice },
  })
  const [next] = orders
  const currency = next?.currency ?? currentCycle(plan)?.recurring_items[0]?.currency ?? ''
  return show(page, {
    title: t.preview,
    path: `/plans/${plan.id}/change`,
    body: html`<section class="status">
      <table>
        <tbody>
          ${change.line_items.map(
            (line) =>
              html`<tr>
                <th scope="row">${lineText(page, line)}</th>
                <td>${moneyOf(page, currency, line.total)}</td>
              </tr>`,
          )}
        </tbody>
        <tfoot>
          <tr class="total">
            <th scope="row">${words.total}</th>
            <td>${moneyOf(page, currency, change.total)}</td>
          </tr>
        </tfoot>
      </table>
      <p>${say(t.changesOn, { date: dateText(page, change.effective_at) })}</p>
      ${next !== undefined && html`<p>${say(t.nextBill, { amount: moneyOf(page, next.currency, next.amount), date: dateText(page, next.date) })}</p>`}
      <form method="post" action="${page.to(`/plans/${plan.id}/change`)}">
        ${attemptField()}
        ${['price', 'quantity'].map((name) => html`<input type="hidden" name="${name}" value="${form.get(name) ?? ''}" />`)}
        <input type="hidden" name="expected_total" value="${numeralOf(change.total)}" />
        <button type="submit">${t.confirmChange}</button>
        <p class="cancel"><a href="${page.to(`/plans/${plan.id}/change`)}">${t.otherChoice}</a></p>
      </form>
    </section>`,
  })
}
