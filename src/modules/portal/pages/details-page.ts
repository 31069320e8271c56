import type { FastifyReply } from 'fastify'
import { html, type Html } from '#platform/http/html'
import { COUNTRIES } from '#kernel/countries'
import { fieldProblem, isAbout, wrongField } from './form-fields.ts'
import { submit, type PortalRequest, type Problem, redirect, show } from './page-request.ts'

/** Members of billing details by the field of the page in which they stand. */
const MEMBERS: Readonly<Record<string, string>> = { vat: 'tax_ids' }
const FIELDS = ['line1', 'line2', 'postal_code', 'city', 'region', 'country', 'vat', 'invoice_email']

const ADDRESS = ['line1', 'line2', 'postal_code', 'city', 'region'] as const

export async function showDetails(page: PortalRequest, problem?: Problem): Promise<FastifyReply> {
  const { t, form, language } = page
  const { billing_details: stored } = await page.call('GET /billing_details')
  const labels: Readonly<Record<string, string>> = t.fields
  const wrong = FIELDS.find((name) => isAbout(problem, MEMBERS[name] ?? name))
  const field = (name: string, value: string | null | undefined, attributes: Html): Html =>
    html`<div class="field">
      <label for="${name}">${labels[name]}</label>
      <input
        id="${name}"
        name="${name}"
        type="text"
        maxlength="255"
        value="${form.get(name) ?? value ?? ''}"
        ${attributes}
        ${wrongField(name === wrong)}
      />
      ${fieldProblem(problem, name === wrong)}
    </div>`
  const country = form.get('country') ?? stored.address?.['country'] ?? ''
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const countries = COUNTRIES.map((code) => ({ code, name: names.of(code) ?? code })).toSorted((a, b) =>
    a.name.localeCompare(b.name, language),
  )
  return show(page, {
    title: t.details,
    path: '/details',
    problem,
    marksField: wrong !== undefined,
    body: html`<section class="status">
      <form method="post" action="${page.to('/details')}">
        ${field('line1', stored.address?.['line1'], html`autocomplete="address-line1"`)}
        ${field('line2', stored.address?.['line2'], html`autocomplete="address-line2"`)}
        ${field('postal_code', stored.address?.['postal_code'], html`autocomplete="postal-code"`)}
        ${field('city', stored.address?.['city'], html`autocomplete="address-level2"`)}
        ${field('region', stored.address?.['region'], html`autocomplete="address-level1"`)}
        <div class="field">
          <label for="country">${labels['country']}</label>
          <select id="country" name="country" autocomplete="country" ${wrongField(wrong === 'country')}>
            <option value=""></option>
            ${countries.map(({ code, name }) => html`<option value="${code}" ${code === country && html`selected`}>${name}</option>`)}
          </select>
          ${fieldProblem(problem, wrong === 'country')}
        </div>
        ${field('vat', stored.tax_ids.find(({ type }) => type === 'vat')?.value, html`autocomplete="off" spellcheck="false"`)}
        ${field('invoice_email', stored.invoice_email, html`inputmode="email" autocomplete="email" spellcheck="false"`)}
        <button type="submit">${t.save}</button>
      </form>
    </section>`,
  })
}

export function saveDetails(page: PortalRequest): Promise<FastifyReply> {
  return submit(
    page,
    async () => {
      const { billing_details: stored } = await page.call('GET /billing_details')
      const text = (name: string) => (page.form.get(name) ?? '').trim()
      const members = [...ADDRESS, 'country' as const].map((name) => [name, text(name)] as const)
      const given = members.filter(([, value]) => value !== '')
      const others = stored.tax_ids.filter(({ type }) => type !== 'vat')
      const vat = text('vat')
      await page.call('PUT /billing_details', {
        body: {
          billing_details: {
            address: given.length === 0 ? null : Object.fromEntries(given),
            tax_ids: [
              ...others.map(({ type, value }) => ({ type, value })),
              ...(vat === '' ? [] : [{ type: 'vat', value: vat }]),
            ],
            invoice_email: text('invoice_email') || null,
          },
        },
      })
      return redirect(page, '/details')
    },
    (problem) => showDetails(page, problem),
  )
}
