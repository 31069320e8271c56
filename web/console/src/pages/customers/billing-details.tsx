import { Select, Stack, Text, TextInput } from '@mantine/core'
import type { Customer, Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { AddressFields, addressDraft, NO_ADDRESS, readAddress } from '#components/address-fields.tsx'
import { AddressText } from '#components/address.tsx'
import {
  ElectronicAddressFields,
  electronicAddressDraft,
  readElectronicAddress,
} from '#components/electronic-address-fields.tsx'
import { EmailText } from '#components/email-text.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Fields, Section } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { readTaxIds, type TaxIdDraft, TaxIdsField } from '#components/tax-ids-field.tsx'

type Details = Schemas['BillingDetails']

const EXEMPTIONS = ['none', 'exempt', 'reverse'] as const
const TONES = { verified: 'good', unverified: 'plain', rejected: 'bad' } as const

/** What invoices say of a customer beside its profile. */
export function BillingDetails({ customer }: { readonly customer: Customer }) {
  const { can } = useApi()
  return can('billing_details:read') ? <DetailsSection customer={customer} /> : null
}

function DetailsSection({ customer: { uuid, erased_at } }: { readonly customer: Customer }) {
  const { t } = useTranslation('billing-details')
  const [isEditing, setEditing] = useState(false)
  const query = useApiQuery(['customers', uuid, 'billing_details'], ({ quittance }, signal) =>
    quittance.billingDetails.get(uuid, { signal }),
  )
  return (
    <Section
      title={t('title')}
      actions={
        erased_at === undefined && (
          <ActionButton
            size="xs"
            scope="billing_details:write"
            blocked={query.data === undefined ? t('loading') : undefined}
            onClick={() => setEditing(true)}
          >
            {t('edit')}
          </ActionButton>
        )
      }
    >
      <Loaded query={query}>
        {(details) => (
          <>
            <DetailFields details={details} />
            {isEditing && <DetailsDialog uuid={uuid} details={details} onClose={() => setEditing(false)} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}

function DetailFields({ details }: { readonly details: Details }) {
  const { t, i18n } = useTranslation(['billing-details', 'tax-ids'])
  const { address, tax_ids, tax_exempt, exempt_reason, language, invoice_email, electronic_address } = details
  const languages = new Intl.DisplayNames(i18n.language, { type: 'language' })
  return (
    <Fields
      fields={[
        [t('address'), address === null ? t('none') : <AddressText key="address" address={address} />],
        [
          t('tax_ids'),
          tax_ids.length === 0 ? (
            t('none')
          ) : (
            <Stack key="ids" gap={2}>
              {tax_ids.map(({ type, value, state }) => (
                <Text key={`${type} ${value}`} size="sm" span>
                  {t(`tax-ids:tax_id.${type}`)}: {value}{' '}
                  {type === 'vat' && (
                    <StateBadge state={state} label={t(`state.${state}`)} tone={TONES[state]} />
                  )}
                </Text>
              ))}
            </Stack>
          ),
        ],
        [t('tax_exempt'), t(`exemption.${tax_exempt}`)],
        exempt_reason !== null && [t('exempt_reason'), exempt_reason],
        language !== null && [t('language'), languages.of(language) ?? language],
        electronic_address !== null && [
          t('tax-ids:eas.value'),
          `${electronic_address.scheme}:${electronic_address.value}`,
        ],
        invoice_email !== null && [t('invoice_email'), <EmailText key="email" address={invoice_email} />],
      ]}
    />
  )
}

interface DetailsDialogProps {
  readonly uuid: string
  readonly details: Details
  readonly onClose: () => void
}

function DetailsDialog({ uuid, details, onClose }: DetailsDialogProps) {
  const { t } = useTranslation('billing-details')
  const mayExempt = useApi().can('billing:write')
  const [address, setAddress] = useState(
    details.address === null ? NO_ADDRESS : addressDraft(details.address),
  )
  const [taxIds, setTaxIds] = useState<readonly TaxIdDraft[]>(details.tax_ids)
  const [electronic, setElectronic] = useState(() => electronicAddressDraft(details.electronic_address))
  const [exemption, setExemption] = useState(details.tax_exempt)
  const [texts, setTexts] = useState({
    exempt_reason: details.exempt_reason ?? '',
    language: details.language ?? '',
    invoice_email: details.invoice_email ?? '',
  })
  const isEmpty = Object.values(address).every((text) => text === '' || text === null)
  const members = readAddress(address)
  const field = (name: keyof typeof texts, maxLength = 255) => ({
    label: t(name),
    value: texts[name],
    maxLength,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setTexts((before) => ({ ...before, [name]: value }))
    },
  })
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('edit_title')}
      confirmLabel={t('save')}
      doneMessage={t('saved')}
      effect={t('effect')}
      isDisabled={!isEmpty && members === undefined}
      run={(quittance) =>
        quittance.billingDetails.update(uuid, {
          address: members ?? null,
          tax_ids: readTaxIds(taxIds),
          ...(mayExempt && { tax_exempt: exemption, exempt_reason: texts.exempt_reason || null }),
          language: texts.language || null,
          invoice_email: texts.invoice_email || null,
          electronic_address: readElectronicAddress(electronic),
        })
      }
    >
      <AddressFields value={address} onChange={setAddress} isRequired={!isEmpty} />
      <TaxIdsField label={t('tax_ids')} country={address.country} value={taxIds} onChange={setTaxIds} />
      <Select
        label={t('tax_exempt')}
        data={EXEMPTIONS.map((value) => ({ value, label: t(`exemption.${value}`) }))}
        value={exemption}
        disabled={!mayExempt}
        description={mayExempt ? undefined : t('exempt_scope')}
        allowDeselect={false}
        onChange={(value) => value !== null && setExemption(value)}
      />
      {mayExempt && exemption === 'exempt' && (
        <TextInput {...field('exempt_reason')} description={t('reason_hint')} />
      )}
      <TextInput {...field('language', 35)} placeholder="de" description={t('language_hint')} />
      <TextInput {...field('invoice_email')} type="email" description={t('email_hint')} />
      <ElectronicAddressFields value={electronic} onChange={setElectronic} />
    </ActionDialog>
  )
}
