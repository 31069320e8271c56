import { Checkbox, Fieldset, Group, NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { AddressFields } from '#components/address-fields.tsx'
import { CountrySelect } from '#components/country-select.tsx'
import { ElectronicAddressFields } from '#components/electronic-address-fields.tsx'
import { TaxIdsField } from '#components/tax-ids-field.tsx'
import { BankFields } from '#pages/settings/legal-entities/bank-fields.tsx'
import {
  entityDraft,
  isEmpty,
  NEW_REGISTRATION,
  NEW_SERIES,
  readEntity,
} from '#pages/settings/legal-entities/entity-draft.ts'
import type { LegalEntity } from '#pages/settings/legal-entities/entity-list.tsx'
import { RowsField } from '#components/rows-field.tsx'

interface EntityDialogProps {
  /** Without one the dialog creates a legal entity. */
  readonly entity?: LegalEntity
  readonly onClose: () => void
}

const CONTACT = ['name', 'phone', 'email'] as const
const ROUNDINGS = ['document', 'line'] as const

export function EntityDialog({ entity, onClose }: EntityDialogProps) {
  const { t } = useTranslation('legal-entities')
  const navigate = useNavigate()
  const [draft, setDraft] = useState(() => entityDraft(entity))
  const [reference, setReference] = useState('')
  const members = readEntity(draft)
  const isNew = entity === undefined
  const set = (changed: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...changed }))
  return (
    <ActionDialog
      opened
      onClose={onClose}
      size="lg"
      title={t(isNew ? 'new.title' : 'edit.title')}
      confirmLabel={t(isNew ? 'new.confirm' : 'edit.confirm')}
      doneMessage={t(isNew ? 'new.done' : 'edit.done')}
      {...(!isNew && { effect: t('edit.effect') })}
      isDisabled={members === undefined}
      run={async (quittance) => {
        if (members === undefined) return undefined
        if (!isNew) return quittance.legalEntities.update(entity.id, members)
        const named = { ...members, ...(reference !== '' && { reference_id: reference }) }
        return quittance.legalEntities.create(named)
      }}
      onDone={(saved) => {
        if (isNew && saved !== undefined)
          void navigate({ to: '/settings/legal-entities/$id', params: { id: saved.id } })
      }}
    >
      <TextInput
        label={t('column.name')}
        required
        maxLength={255}
        autoComplete="off"
        data-autofocus
        value={draft.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <AddressFields value={draft.address} onChange={(address) => set({ address })} />
      <TaxIdsField
        label={t('column.tax_ids')}
        country={draft.address.country}
        value={draft.taxIds}
        onChange={(taxIds) => set({ taxIds })}
      />
      <RowsField
        rows={draft.registrations}
        added={{ ...NEW_REGISTRATION, country: draft.address.country }}
        addLabel={t('form.add_registration')}
        labelOf={(_, index) => t('form.registration', { number: index + 1 })}
        removeLabel={(_, index) => t('form.remove_registration', { number: index + 1 })}
        onChange={(registrations) => set({ registrations })}
      >
        {(row, change) => (
          <>
            <Group grow align="flex-start">
              <CountrySelect
                label={t('column.country')}
                value={row.country}
                onChange={(country) => change({ country })}
              />
              <TextInput
                label={t('column.region')}
                placeholder={t('whole_country')}
                maxLength={255}
                value={row.region}
                onChange={(event) => change({ region: event.currentTarget.value })}
              />
              <TextInput
                label={t('column.registration_number')}
                maxLength={255}
                value={row.number}
                onChange={(event) => change({ number: event.currentTarget.value })}
              />
            </Group>
            <Group grow align="flex-start">
              <TextInput
                type="date"
                label={t('column.from')}
                value={row.from}
                onChange={(event) => change({ from: event.currentTarget.value })}
              />
              <TextInput
                type="date"
                label={t('column.until')}
                value={row.until}
                onChange={(event) => change({ until: event.currentTarget.value })}
              />
            </Group>
          </>
        )}
      </RowsField>
      <Checkbox
        label={t('form.oss')}
        checked={draft.oss}
        onChange={(event) => set({ oss: event.currentTarget.checked })}
      />
      <TextInput
        label={t('column.currency')}
        description={t('form.currency_hint')}
        maxLength={3}
        autoComplete="off"
        value={draft.currency}
        onChange={(event) => set({ currency: event.currentTarget.value.toUpperCase() })}
      />
      <BankFields value={draft.bank} onChange={(bank) => set({ bank })} />
      <ElectronicAddressFields
        value={draft.electronicAddress}
        onChange={(electronicAddress) => set({ electronicAddress })}
      />
      <Fieldset legend={t('contact.title')}>
        <Group grow align="flex-start">
          {CONTACT.map((name) => (
            <TextInput
              key={name}
              label={t(`contact.${name}`)}
              required={!isEmpty(draft.contact)}
              maxLength={name === 'phone' ? 64 : 255}
              autoComplete="off"
              value={draft.contact[name]}
              onChange={(event) => set({ contact: { ...draft.contact, [name]: event.currentTarget.value } })}
            />
          ))}
        </Group>
      </Fieldset>
      <Select
        label={t('column.tax_rounding')}
        data={ROUNDINGS.map((value) => ({ value, label: t(`rounding.${value}`) }))}
        value={draft.rounding}
        allowDeselect={false}
        onChange={(rounding) => rounding !== null && set({ rounding })}
      />
      <RowsField
        rows={draft.series}
        added={draft.series.length === 0 ? { ...NEW_SERIES, key: 'default' } : NEW_SERIES}
        addLabel={t('form.add_series')}
        labelOf={(_, index) => t('form.series', { number: index + 1 })}
        removeLabel={(_, index) => t('form.remove_series', { number: index + 1 })}
        onChange={(series) => set({ series })}
      >
        {(row, change) => (
          <>
            <Group grow align="flex-start">
              <TextInput
                label={t('column.key')}
                required
                maxLength={64}
                value={row.key}
                onChange={(event) => change({ key: event.currentTarget.value })}
              />
              <NumberInput
                label={t('column.first_number')}
                required
                min={1}
                allowDecimal={false}
                value={row.first_number}
                onChange={(first_number) => change({ first_number })}
              />
            </Group>
            <Group grow align="flex-start">
              <TextInput
                label={t('column.invoice_format')}
                required
                maxLength={64}
                value={row.invoice_format}
                onChange={(event) => change({ invoice_format: event.currentTarget.value })}
              />
              <TextInput
                label={t('column.credit_note_format')}
                required
                maxLength={64}
                value={row.credit_note_format}
                onChange={(event) => change({ credit_note_format: event.currentTarget.value })}
              />
            </Group>
          </>
        )}
      </RowsField>
      <Textarea
        label={t('column.footer')}
        description={t('form.footer')}
        autosize
        minRows={2}
        maxLength={4096}
        value={draft.footer}
        onChange={(event) => set({ footer: event.currentTarget.value })}
      />
      {isNew && (
        <TextInput
          label={t('column.reference_id')}
          description={t('form.reference_hint')}
          maxLength={255}
          autoComplete="off"
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
      )}
    </ActionDialog>
  )
}
