import type { Static } from 'typebox'
import { decimalToString } from '#kernel/decimal'
import { rawNumber } from '#kernel/json'
import { toRfc3339 } from '#kernel/clock'
import { byCreation, type PageRequest, renderPage } from '#platform/http/validation/list'
import { bankMembers } from '../model/bank-account.ts'
import type { BillingDetails } from '../model/billing-details.ts'
import {
  type LegalEntityWithGaps,
  type NumberGap,
  type Registration,
  seriesWithGaps,
} from '../model/legal-entity.ts'
import type { Address } from '../model/party.ts'
import type { BookkeepingAccounts, RateAccount } from '../model/bookkeeping.ts'
import type { AllSettings } from '../parties/settings.ts'
import type {
  BillingDetailsData,
  LegalEntitiesPage,
  LegalEntityData,
  LegalEntitySchema,
  SettingsData,
} from './party.schemas.ts'

export function renderLegalEntityData(entity: LegalEntityWithGaps): Static<typeof LegalEntityData> {
  return { legal_entity: renderLegalEntity(entity) }
}

export function renderLegalEntitiesPage(
  request: PageRequest,
  found: readonly LegalEntityWithGaps[],
): Static<typeof LegalEntitiesPage> {
  const { rows, page } = renderPage(request, found, byCreation, renderLegalEntity)
  return { legal_entities: rows, page }
}

export function renderSettingsData(settings: AllSettings): Static<typeof SettingsData> {
  return {
    settings: {
      legal_entity_id: settings.legalEntityId,
      tax: settings.tax,
      collection: settings.collection,
      days_until_due: settings.daysUntilDue,
      late_days: settings.lateDays,
      locked_until: settings.lockedUntil,
      accounts: settings.accounts && renderAccounts(settings.accounts),
      datev: settings.datev && {
        consultant: settings.datev.consultant,
        client: settings.datev.client,
        fiscal_year_start: settings.datev.fiscalYearStart,
        account_length: settings.datev.accountLength,
      },
      write_off_up_to: Object.fromEntries(settings.writeOffUpTo),
    },
  }
}

function renderAccounts({ revenue, tax, writeOffs, ...accounts }: BookkeepingAccounts) {
  return {
    ...accounts,
    write_offs: writeOffs,
    revenue: revenue.map(renderRateAccount),
    tax: tax.map(renderRateAccount),
  }
}

function renderRateAccount({ percentage, treatment, account, taxKey }: RateAccount) {
  return {
    percentage: rawNumber(decimalToString(percentage)),
    treatment,
    account,
    ...(taxKey !== null && { tax_key: taxKey }),
  }
}

export function renderBillingDetailsData(details: BillingDetails): Static<typeof BillingDetailsData> {
  return {
    customer_uuid: details.customerUuid,
    billing_details: {
      address: details.address && renderAddress(details.address),
      tax_ids: details.taxIds.map(({ type, value, state }) => ({ type, value, state })),
      tax_exempt: details.taxExempt,
      exempt_reason: details.exemptReason,
      language: details.language,
      invoice_email: details.invoiceEmail,
      cc: [...(details.cc ?? [])],
      electronic_address: details.electronicAddress,
    },
  }
}

function renderLegalEntity(entity: LegalEntityWithGaps): Static<typeof LegalEntitySchema> {
  return {
    id: entity.id,
    name: entity.name,
    currency: entity.currency,
    address: renderAddress(entity.address),
    tax_ids: entity.taxIds.map(({ type, value }) => ({ type, value })),
    registrations: entity.registrations.map(renderRegistration),
    oss: entity.oss,
    bank: entity.bank && {
      ...bankMembers(entity.bank),
      ...(entity.bank.bic !== null && { bic: entity.bank.bic }),
    },
    electronic_address: entity.electronicAddress,
    contact: entity.contact,
    tax_rounding: entity.taxRounding,
    series: seriesWithGaps(entity).map(({ key, invoiceFormat, creditNoteFormat, firstNumber, gaps }) => ({
      key,
      invoice_format: invoiceFormat,
      credit_note_format: creditNoteFormat,
      first_number: firstNumber,
      ...(gaps.length > 0 && { gaps: gaps.map(renderGap) }),
    })),
    footer: entity.footer,
    reference_id: entity.referenceId,
    ...(entity.metadata !== null && { metadata: entity.metadata }),
    created_at: toRfc3339(entity.createdAt),
    updated_at: toRfc3339(entity.updatedAt),
  }
}

function renderGap({ type, year, from, to }: NumberGap) {
  return {
    type,
    ...(year !== 0 && { year }),
    from: Number(from),
    to: Number(to),
    reason: 'recovered' as const,
  }
}

function renderRegistration({ country, region, number, from, until }: Registration) {
  return {
    country,
    ...(region !== null && { region }),
    ...(number !== null && { number }),
    ...(from !== null && { from }),
    ...(until !== null && { until }),
  }
}

function renderAddress({ line1, line2, postalCode, city, region, country }: Address) {
  return {
    line1,
    ...(line2 !== null && { line2 }),
    ...(postalCode !== null && { postal_code: postalCode }),
    city,
    ...(region !== null && { region }),
    country,
  }
}
