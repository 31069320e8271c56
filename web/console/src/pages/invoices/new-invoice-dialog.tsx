import { Checkbox, Group, NumberInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { useDecimalError } from '#components/decimal-error.ts'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { isCurrency, useEnteredCurrency } from '#components/main-currency.ts'
import { AddButton, RemoveButton } from '#components/row-buttons.tsx'
import { InvoiceTaxes, InvoiceTotals } from '#pages/invoices/invoice-lines.tsx'
import type { DraftInvoice } from '#pages/invoices/invoice-list.tsx'
import { CustomerSelect } from '#pages/plans/customer-select.tsx'

interface LineDraft {
  readonly label: string
  readonly quantity: string
  readonly unitAmount: string
}

const NEW_LINE: LineDraft = { label: '', quantity: '1', unitAmount: '' }
const NUMBER = /^\d+(?:\.\d{1,12})?$/
const COLLECTIONS = ['automatic', 'send_invoice'] as const
const MAX_ENTITIES = 100

interface NewInvoiceDialogProps {
  readonly onClose: () => void
  /** The draft that the dialog changes. */
  readonly draft?: DraftInvoice
}

/** What is left out comes from the billing settings. */
export function NewInvoiceDialog({ onClose, draft }: NewInvoiceDialogProps) {
  const asked = draft?.draft
  const { t } = useTranslation('invoices')
  const navigate = useNavigate()
  const [customer, setCustomer] = useState<string | null>(asked?.customer_uuid ?? null)
  const search: { readonly currency?: string } = useSearch({ strict: false })
  const [currency, enterCurrency] = useEnteredCurrency(asked?.currency ?? search.currency)
  const setCurrency = (entered: string) => {
    enterCurrency(entered)
    const chosen = entered.toUpperCase()
    if (draft === undefined && isCurrency(chosen))
      void navigate({ to: '.', search: (previous) => ({ ...previous, currency: chosen }), replace: true })
  }
  const decimalError = useDecimalError()
  const [lines, setLines] = useState<readonly LineDraft[]>(
    asked?.lines.map((line) => ({ ...line, unitAmount: line.unit_amount })) ?? [NEW_LINE],
  )
  const [entity, setEntity] = useState<string | null>(asked?.legal_entity_id ?? null)
  const [collection, setCollection] = useState<(typeof COLLECTIONS)[number] | null>(asked?.collection ?? null)
  const [days, setDays] = useState<number | string>(asked?.days_until_due ?? '')
  const [memo, setMemo] = useState(asked?.memo ?? '')
  const [isDraft, setDraft] = useState(draft !== undefined)
  const [buyerReference, setBuyerReference] = useState(asked?.buyer_reference ?? '')
  const [purchaseOrder, setPurchaseOrder] = useState(asked?.purchase_order ?? '')
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
  const { buyer_reference: _reference, purchase_order: _order, ...kept } = asked ?? {}
  const request = {
    ...kept,
    customer_uuid: customer ?? '',
    currency: currency.toUpperCase(),
    lines: lines.map(({ unitAmount, ...line }) => ({ ...line, unit_amount: unitAmount })),
    ...(entity !== null && { legal_entity_id: entity }),
    ...(collection !== null && { collection }),
    ...(days !== '' && { days_until_due: Number(days) }),
    ...(buyerReference.trim() !== '' && { buyer_reference: buyerReference.trim() }),
    ...(purchaseOrder.trim() !== '' && { purchase_order: purchaseOrder.trim() }),
    memo,
  }
  const sent = memo.trim() === '' ? withoutMemo(request) : request
  const change = (index: number, members: Partial<LineDraft>) =>
    setLines(lines.map((line, position) => (position === index ? { ...line, ...members } : line)))
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t(draft === undefined ? 'new.title' : 'draft.edit_title')}
      confirmLabel={t(isDraft ? 'draft.save' : 'new.confirm')}
      doneMessage={t(isDraft ? 'draft.saved' : 'new.done')}
      effect={t(isDraft ? 'draft.save_effect' : `new.effect_${collects}`)}
      isDisabled={!isComplete}
      run={(quittance) =>
        draft === undefined
          ? quittance.invoices.create({ ...sent, draft: isDraft })
          : quittance.invoices.replaceDraft(draft.id, sent)
      }
      onDone={({ id }) => void navigate({ to: '/invoices/$id', params: { id } })}
    >
      <CustomerSelect value={customer} onChange={setCustomer} />
      <Group align="flex-start">
        <Select
          flex="1 1 260px"
          label={t('column.seller')}
          required
          data={(entities.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={seller}
          allowDeselect={false}
          onChange={setEntity}
        />
        <TextInput
          flex="1 0 100px"
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
        <Group key={index} gap="xs" align="flex-start">
          <TextInput
            flex="5 1 280px"
            label={t('line.label')}
            required
            maxLength={255}
            value={line.label}
            onChange={(event) => change(index, { label: event.currentTarget.value })}
          />
          <TextInput
            flex="3 1 80px"
            label={t('line.quantity')}
            required
            inputMode="decimal"
            value={line.quantity}
            error={decimalError(line.quantity, isQuantity(line.quantity))}
            onChange={(event) => change(index, { quantity: event.currentTarget.value.trim() })}
          />
          <TextInput
            flex="4 1 100px"
            label={t('line.unit_amount')}
            required
            inputMode="decimal"
            value={line.unitAmount}
            error={decimalError(line.unitAmount, NUMBER.test(line.unitAmount))}
            onChange={(event) => change(index, { unitAmount: event.currentTarget.value.trim() })}
          />
          {lines.length > 1 && (
            <RemoveButton
              mt={28}
              label={t('new.remove_line', { number: index + 1 })}
              onClick={() => setLines(lines.filter((_, position) => position !== index))}
            />
          )}
        </Group>
      ))}
      <AddButton onClick={() => setLines([...lines, NEW_LINE])}>{t('new.add_line')}</AddButton>
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
      <Textarea
        label={t('new.memo')}
        description={t('new.memo_hint')}
        autosize
        maxLength={2000}
        value={memo}
        onChange={(event) => setMemo(event.currentTarget.value)}
      />
      {isComplete && <PreviewedTotals request={sent} />}
      {draft === undefined && (
        <Checkbox
          label={t('draft.as_draft')}
          checked={isDraft}
          onChange={(event) => setDraft(event.currentTarget.checked)}
        />
      )}
    </ActionDialog>
  )
}

interface Request {
  readonly customer_uuid: string
  readonly currency: string
  readonly lines: readonly {
    readonly label: string
    readonly quantity: string
    readonly unit_amount: string
  }[]
  readonly memo?: string
}

function withoutMemo<Asked extends Request>(asked: Asked): Omit<Asked, 'memo'> {
  const { memo: _, ...request } = asked
  return request
}

const PAUSE_MS = 300

/** What the invoice would bill now, with its tax. It takes no number. */
function PreviewedTotals({ request }: { readonly request: Omit<Request, 'memo'> }) {
  const { t } = useTranslation('invoices')
  const [asked] = useDebouncedValue(JSON.stringify(request), PAUSE_MS)
  const query = useApiQuery(
    ['invoices', 'preview', asked],
    (api, signal) => api.quittance.invoices.preview({ ...request, lines: [...request.lines] }, { signal }),
    { placeholderData: keepPreviousData, retry: false },
  )
  return (
    <Stack gap={4} aria-live="polite">
      <Text size="sm" fw={500}>
        {t('new.preview')}
      </Text>
      <Loaded query={query}>
        {(invoice) => (
          <>
            {invoice.taxes.length > 0 && <InvoiceTaxes invoice={invoice} />}
            <InvoiceTotals invoice={invoice} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

function isQuantity(text: string): boolean {
  return NUMBER.test(text) && Number(text) > 0
}
