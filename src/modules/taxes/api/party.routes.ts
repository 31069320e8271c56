import { defineRoute, type Route } from '#platform/http/routes/route'
import { filteredListQuery, readPage } from '#platform/http/validation/list'
import { IdParams, UuidParams } from '#platform/http/validation/schemas'
import type { TaxesContext } from '../context.ts'
import { billingDetailsOf, editBillingDetails } from '../parties/billing-details.ts'
import {
  createLegalEntity,
  editLegalEntity,
  legalEntitiesOfPage,
  legalEntityById,
} from '../parties/legal-entities.ts'
import { editSettings, settingsOf } from '../parties/settings.ts'
import { LEGAL_ENTITY_FIELDS } from '../storage/legal-entity.repository.ts'
import {
  renderBillingDetailsData,
  renderLegalEntitiesPage,
  renderLegalEntityData,
  renderSettingsData,
} from './party.render.ts'
import {
  BillingDetailsData,
  CreateLegalEntityBody,
  EditBillingDetailsBody,
  EditLegalEntityBody,
  EditSettingsBody,
  LEGAL_ENTITY_EXISTS,
  LegalEntitiesPage,
  LegalEntityData,
  SettingsData,
} from './party.schemas.ts'

const BASE = '/svc/billing/api/v1/openapi'
const ENTITIES = `${BASE}/legal_entities`
const TAG = 'Legal entities and settings'

export function partyRoutes(ctx: TaxesContext): Route[] {
  return [...entityRoutes(ctx), ...settingsRoutes(ctx), ...detailsRoutes(ctx)]
}

function entityRoutes(ctx: TaxesContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: ENTITIES,
      scope: 'billing:write',
      summary: 'Create a legal entity',
      description: 'Who sells: the seller of invoices, and where it is registered for tax.',
      tag: TAG,
      body: CreateLegalEntityBody,
      example: {
        legal_entity: {
          name: 'Example GmbH',
          address: { line1: 'Hauptstr. 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
          tax_ids: [{ type: 'vat', value: 'DE136695976' }],
          registrations: [{ country: 'DE' }],
        },
      },
      data: LegalEntityData,
      failures: { 409: LEGAL_ENTITY_EXISTS },
      handle: ({ caller, body }) => createLegalEntity(ctx, caller, body.legal_entity),
      render: renderLegalEntityData,
    }),
    defineRoute({
      method: 'GET',
      path: ENTITIES,
      scope: 'billing:read',
      summary: 'List legal entities',
      tag: TAG,
      query: filteredListQuery(LEGAL_ENTITY_FIELDS),
      data: LegalEntitiesPage,
      handle: async ({ caller, query }) => {
        const request = readPage('legal_entities', query)
        return renderLegalEntitiesPage(request, await legalEntitiesOfPage(ctx, caller, query.filter, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${ENTITIES}/:id`,
      scope: 'billing:read',
      summary: 'Get a legal entity',
      tag: TAG,
      params: IdParams,
      data: LegalEntityData,
      handle: ({ caller, params }) => legalEntityById(ctx, caller, params.id),
      render: renderLegalEntityData,
    }),
    defineRoute({
      method: 'PUT',
      path: `${ENTITIES}/:id`,
      scope: 'billing:write',
      summary: 'Edit a legal entity',
      description: 'Members that are left out stay. Documents that were issued keep what they say.',
      tag: TAG,
      params: IdParams,
      body: EditLegalEntityBody,
      example: { legal_entity: { footer: 'Register court Berlin, HRB 12345' } },
      data: LegalEntityData,
      handle: ({ caller, params, body }) => editLegalEntity(ctx, caller, params.id, body.legal_entity),
      render: renderLegalEntityData,
    }),
  ]
}

function settingsRoutes(ctx: TaxesContext): Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path: `${BASE}/settings`,
      scope: 'billing:write',
      summary: 'Edit the billing settings',
      description: 'How new plans are invoiced. Members that are left out stay, and so do plans that exist.',
      tag: TAG,
      body: EditSettingsBody,
      example: { settings: { legal_entity_id: 'len_01m82g27rde57v77qfb3qj2d2m', tax: 'automatic' } },
      data: SettingsData,
      handle: ({ caller, body }) => editSettings(ctx, caller, body.settings),
      render: renderSettingsData,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/settings`,
      scope: 'billing:read',
      summary: 'Get the billing settings',
      tag: TAG,
      data: SettingsData,
      handle: ({ caller }) => settingsOf(ctx, caller),
      render: renderSettingsData,
    }),
  ]
}

function detailsRoutes(ctx: TaxesContext): Route[] {
  const path = `${BASE}/customers/:uuid/billing_details`
  return [
    defineRoute({
      method: 'PUT',
      path,
      scope: 'billing_details:write',
      alsoNeeds: {
        scope: 'billing:write',
        what: '`tax_exempt` or `exempt_reason`',
        when: ({ billing_details: { tax_exempt, exempt_reason } }) =>
          tax_exempt !== undefined || exempt_reason !== undefined,
      },
      summary: 'Edit the billing details of a customer',
      description: 'Members that are left out stay, and null removes one.',
      tag: TAG,
      params: UuidParams,
      body: EditBillingDetailsBody,
      example: {
        billing_details: {
          address: { line1: 'Ringstr. 2', postal_code: '1010', city: 'Wien', country: 'AT' },
          tax_ids: [{ type: 'vat', value: 'ATU13585627' }],
        },
      },
      data: BillingDetailsData,
      handle: ({ caller, params, body }) =>
        editBillingDetails(ctx, caller, params.uuid, body.billing_details),
      render: renderBillingDetailsData,
    }),
    defineRoute({
      method: 'GET',
      path,
      scope: 'billing_details:read',
      summary: 'Get the billing details of a customer',
      tag: TAG,
      params: UuidParams,
      data: BillingDetailsData,
      handle: ({ caller, params }) => billingDetailsOf(ctx, caller, params.uuid),
      render: renderBillingDetailsData,
    }),
  ]
}
