import { ActionIcon, Button, Group, NumberInput, Select, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '#components/icons.tsx'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { useDecimalError } from '#components/decimal-error.ts'
import { TextLink } from '#components/links.tsx'
import { useApiQuery } from '#components/loaded.tsx'
import { isCurrency, useEnteredCurrency } from '#components/main-currency.ts'
import { CustomerSelect } from '#pages/plans/customer-select.tsx'

interface LineDraft {
  readonly label: string
  readonly quantity: string
  readonly unitAmount: string
}

const route = getRouteApi('/shell/invoices')
const NEW_LINE: LineDraft = { label: '', quantity: '1', unitAmount: '' }
const NUMBER = /^\d+(?:\.\d{1,12})?$/
const COLLECTIONS = ['automatic', 'send_invoice'] as const
const MAX_ENTITIES = 100

/** What is left out comes from the billing settings. */
export function NewInvoiceDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('invoices')
  const navigate = useNavigate()
  const [customer, setCustomer] = useState<string | null>(null)
  const [currency, enterCurrency] = useEnteredCurrency(route.useSearch().currency)
  const setCurrency = (entered: string) => {
    enterCurrency(entered)
    const chosen = entered.toUpperCase()
    if (isCurrency(chosen))
      void navigate({ to: '.', search: (previous) => ({ ...previous, currency: chosen }), replace: true })
  }
  const decimalError = useDecimalError()
  const [lines, setLines] = useState<readonly LineDraft[]>([NEW_LINE])
  const [entity, setEntity] = useState<string | null>(null)
  const [collection, setCollection] = useState<(typeof COLLECTIONS)[number] | null>(null)
  const [days, setDays] = useState<number | string>('')
  const [buyerReference, setBuyerReference] = useState('')
  const [purchaseOrder, setPurchaseOrder] = useState('')
  const settings = useApiQuery(['billing_settings'], (api, signal) =>
    api.quittance.billingSettings.get({ signal }),
  )
  const entities = useApiQuery(['legal_entities', 'to_take'], async (api, signal) => {
    const { data } = await api.quittance.legalEntities.list({ limit: MAX_ENTITIES }, { signal })
    return data
  })
  const seller = entity ?? settings.data?.legal_entity_id ?? null
  const collects = collection ?? settings.data?.collection ?? 'automatic'
  const isComplete =
    customer !== null &&
    seller !== null &&
    isCurrency(currency) &&
    lines.every(
      ({ label, quantity, unitAmount }) =>
        label.trim() !== '' && isQuantity(quantity) && NUMBER.test(unitAmount),
    )
  const change = (index: number, members: Partial<LineDraft>) =>
    setLines(lines.map((line, position) => (position === index ? { ...line, ...members } : line)))
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('new.title')}
      confirmLabel={t('new.confirm')}
      doneMessage={t('new.done')}
      effect={t(`new.effect_${collects}`)}
      isDisabled={!isComplete}
      run={(quittance) =>
        quittance.invoices.create({
          customer_uuid: customer ?? '',
          currency,
          lines: lines.map(({ label, quantity, unitAmount }) => ({
            label,
            quantity,
            unit_amount: unitAmount,
          })),
          ...(entity !== null && { legal_entity_id: entity }),
          ...(collection !== null && { collection }),
          ...(days !== '' && { days_until_due: Number(days) }),
          ...(buyerReference.trim() !== '' && { buyer_reference: buyerReference.trim() }),
          ...(purchaseOrder.trim() !== '' && { purchase_order: purchaseOrder.trim() }),
        })
      }
      onDone={({ id }) => void navigate({ to: '/invoices/$id', params: { id } })}
    >
      <CustomerSelect value={customer} onChange={setCustomer} />
      <Group grow align="flex-start">
        <Select
          label={t('column.seller')}
          required
          data={(entities.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={seller}
          allowDeselect={false}
          onChange={setEntity}
        />
        <TextInput
          label={t('new.currency')}
          required
          maxLength={3}
          value={currency}
          onChange={(event) => setCurrency(event.currentTarget.value)}
        />
      </Group>
      {entities.data?.length === 0 && (
        <Text size="sm">
          {t('new.no_entity')} <TextLink to="/settings/legal-entities">{t('new.to_entities')}</TextLink>
        </Text>
      )}
      {lines.map((line, index) => (
        // A line has no id of its own, and only its place distinguishes it.
        // oxlint-disable-next-line react/no-array-index-key
        <Group key={index} gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            flex={5}
            label={t('line.label')}
            required
            maxLength={255}
            value={line.label}
            onChange={(event) => change(index, { label: event.currentTarget.value })}
          />
          <TextInput
            flex={3}
            label={t('line.quantity')}
            required
            inputMode="decimal"
            value={line.quantity}
            error={decimalError(line.quantity, isQuantity(line.quantity))}
            onChange={(event) => change(index, { quantity: event.currentTarget.value.trim() })}
          />
          <TextInput
            flex={4}
            label={t('line.unit_amount')}
            required
            inputMode="decimal"
            value={line.unitAmount}
            error={decimalError(line.unitAmount, NUMBER.test(line.unitAmount))}
            onChange={(event) => change(index, { unitAmount: event.currentTarget.value.trim() })}
          />
          {lines.length > 1 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              mt={28}
              aria-label={t('new.remove_line', { number: index + 1 })}
              onClick={() => setLines(lines.filter((_, position) => position !== index))}
            >
              <IconX size={14} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => setLines([...lines, NEW_LINE])}
      >
        {t('new.add_line')}
      </Button>
      <Group grow align="flex-start">
        <Select
          label={t('new.collection')}
          data={COLLECTIONS.map((value) => ({ value, label: t(`collection.${value}`) }))}
          value={collects}
          allowDeselect={false}
          onChange={setCollection}
        />
        {collects === 'send_invoice' && (
          <NumberInput
            label={t('new.days_until_due')}
            placeholder={String(settings.data?.days_until_due ?? '')}
            allowDecimal={false}
            min={0}
            max={3650}
            value={days}
            onChange={setDays}
          />
        )}
      </Group>
      <Group grow align="flex-start">
        <TextInput
          label={t('buyer_reference')}
          description={t('new.buyer_reference_hint')}
          maxLength={255}
          autoComplete="off"
          value={buyerReference}
          onChange={(event) => setBuyerReference(event.currentTarget.value)}
        />
        <TextInput
          label={t('purchase_order')}
          description={t('new.purchase_order_hint')}
          maxLength={255}
          autoComplete="off"
          value={purchaseOrder}
          onChange={(event) => setPurchaseOrder(event.currentTarget.value)}
        />
      </Group>
    </ActionDialog>
  )
}

function isQuantity(text: string): boolean {
  return NUMBER.test(text) && Number(text) > 0
}
