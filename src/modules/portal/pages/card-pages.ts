import { say } from '#kernel/say'
import type { FastifyReply } from 'fastify'
import { cardField, type FieldProblems, numberField, readCard } from '#modules/checkout'
import { html, type Html } from '#platform/http/html'
import { errors } from '../errors.ts'
import { tokenName } from './overview-page.ts'
import { attemptField } from './form-fields.ts'
import { submit, type PortalRequest, type Problem, redirect, show } from './page-request.ts'
import type { TokenResponse } from './responses.ts'

export async function showCards(
  page: PortalRequest,
  problem?: Problem,
  problems?: FieldProblems,
): Promise<FastifyReply> {
  const { t } = page
  const { payment_tokens: tokens } = await page.call('GET /payment_tokens')
  const shown = (tokens ?? []).filter(({ state }) => state !== 'failed')
  return show(page, {
    title: t.cards,
    path: '/cards',
    problem: problem ?? (problems && { text: page.words.problems.summary }),
    marksField: problems !== undefined,
    body: html`<section class="status">
        ${shown.length === 0 && html`<p>${t.noCard}</p>`}
        <ul class="rows">
          ${shown.map((token) => cardRow(page, token))}
        </ul>
      </section>
      ${!page.session.isReadOnly && cardForm(page, problems)}`,
  })
}

function cardRow(page: PortalRequest, token: TokenResponse): Html {
  const { t, words } = page
  const name = tokenName(page, token)
  const { credit_card: card } = token
  const form = (step: string, label: string) =>
    html`<form method="post" action="${page.to(`/cards/${token.token}/${step}`)}">
      ${attemptField()}
      <button type="submit" class="plain">${label}<span class="visually-hidden"> ${name}</span></button>
    </form>`
  return html`<li>
    <p>
      <strong>${name}</strong
      >${token.default && html` · ${t.defaultCard}`}${token.state === 'pending' && html` · ${t.pendingCard}`}
      ${card !== undefined && html`<br />${say(words.cardExpires, { date: `${card.exp_month}/${card.exp_year}` })}`}
    </p>
    <div class="links">
      ${token.state === 'pending' && token.verify_url !== null && html`<a href="${token.verify_url}">${words.savePendingButton}</a>`}
      ${token.state === 'active' && !token.default && form('default', t.makeDefault)}
      ${form('delete', t.remove)}
    </div>
  </li>`
}

function cardForm(page: PortalRequest, problems: FieldProblems | undefined): Html {
  const { t, words } = page
  return html`<section class="status">
    <h2>${t.addCard}</h2>
    <p>${t.addCardText}</p>
    <form method="post" action="${page.to('/cards')}" class="only-credit_card" novalidate>
      ${attemptField()}
      <div class="card-fields">
        ${numberField(words, problems)}
        <div class="pair">
          ${cardField('expiry', words.expiry, problems, html`inputmode="numeric" autocomplete="cc-exp" maxlength="9" placeholder="MM / YY" spellcheck="false"`, words.expiryHint)}
          ${cardField('cvc', words.cvc, problems, html`inputmode="numeric" autocomplete="cc-csc" maxlength="4" spellcheck="false"`, words.cvcHint)}
        </div>
        ${cardField('name', words.holderName, problems, html`autocomplete="cc-name" maxlength="255" spellcheck="false"`)}
      </div>
      <label class="choice"
        ><input type="checkbox" name="default" value="yes" checked /><span>${t.makeDefault}</span></label
      >
      <button type="submit">${t.addCard}</button>
    </form>
  </section>`
}

/** A card that the bank asks to confirm leads to the page of its verification, and from there back to the cards. */
export async function addCard(page: PortalRequest): Promise<FastifyReply> {
  const { ctx, form, brand, zone, environment, words } = page
  if (page.session.isReadOnly) throw errors.portal_not_allowed()
  const now = await ctx.db.transact(brand.businessId, async (tx) => tx.now)
  const field = (name: string) => form.get(name) ?? ''
  const fields = { number: field('number'), expiry: field('expiry'), cvc: field('cvc'), name: field('name') }
  const reading = readCard(fields, { now, timeZone: zone, environment, acquirer: 'simulator' }, words)
  if ('problems' in reading) {
    page.reply.code(422)
    return showCards(page, undefined, reading.problems)
  }
  const { number, expMonth, expYear, cvc, holderName } = reading.card
  const { currency } = await ctx.businesses.profile(brand.businessId)
  return submit(
    page,
    async () => {
      const { payment_token: token } = await page.call('POST /payment_tokens', {
        body: {
          payment_token: {
            token_type: 'CreditCard',
            credit_card: {
              number,
              exp_month: String(expMonth).padStart(2, '0'),
              exp_year: String(expYear),
              cvc,
              holder_name: holderName,
              billing_currency: currency,
            },
            default: form.get('default') === 'yes',
            return_url: `${new URL(ctx.publicUrl()).origin}${page.to('/cards')}`,
          },
        },
        attempt: form.get('attempt'),
      })
      if (token.state === 'failed') {
        page.reply.code(422)
        return showCards(page, { text: page.t.problems.card_failed })
      }
      return token.state === 'pending' && token.verify_url !== null
        ? page.reply.redirect(token.verify_url, 303)
        : redirect(page, '/cards')
    },
    (problem) => showCards(page, problem),
  )
}

const change =
  (operation: string, keyed: boolean) =>
  (page: PortalRequest): Promise<FastifyReply> =>
    submit(
      page,
      async () => {
        await page.call(operation, {
          params: { token: page.params['token'] ?? '' },
          ...(keyed && { body: {}, attempt: page.form.get('attempt') }),
        })
        return redirect(page, '/cards')
      },
      (problem) => showCards(page, problem),
    )

export const makeDefault = change('POST /payment_tokens/:token/default', true)
export const deleteCard = change('DELETE /payment_tokens/:token', false)
