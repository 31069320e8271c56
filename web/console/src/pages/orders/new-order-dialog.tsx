import { Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { fromMinorUnits, type Order, toMinorUnits } from 'quittance'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { AmountField, amountProblem } from '#components/amount-field.tsx'
import { isCurrency, useEnteredCurrency } from '#components/main-currency.ts'
import { Money } from '#components/money.tsx'
import { RowsField } from '#components/rows-field.tsx'
import { OrderLinkDialog } from '#pages/orders/order-dialogs.tsx'
import { CustomerSelect } from '#pages/plans/customer-select.tsx'

interface LineDraft {
  readonly label: string
  readonly quantity: number | string
  readonly price: string
}

const NEW_LINE: LineDraft = { label: '', quantity: 1, price: '' }
/** ISO 8601 durations from now. */
const EXPIRIES = ['PT1H', 'P1D', 'P7D', 'P30D'] as const

interface NewOrderDialogProps {
  /** Whose page the dialog is on. */
  readonly customerUuid?: string
  readonly onClose: () => void
}

/** Makes an order and shows the link where its payer pays. */
export function NewOrderDialog({ customerUuid, onClose }: NewOrderDialogProps) {
  const { t } = useTranslation('orders')
  const navigate = useNavigate()
  const [currency, setCurrency] = useEnteredCurrency()
  const [lines, setLines] = useState<readonly LineDraft[]>([NEW_LINE])
  const [expiry, setExpiry] = useState<(typeof EXPIRIES)[number] | null>(null)
  const [reference, setReference] = useState(newReference)
  const [customer, setCustomer] = useState(customerUuid ?? null)
  const [made, setMade] = useState<Order>()
  const isMade = useRef(false)
  const showOrder = ({ number }: Order) => {
    onClose()
    void navigate({ to: '/orders/$number', params: { number } })
  }
  if (made !== undefined) {
    return <OrderLinkDialog kind="payment_link" order={made} onClose={() => showOrder(made)} />
  }
  const areValid = isCurrency(currency) && lines.length > 0 && lines.every((line) => isValid(line, currency))
  return (
    <ActionDialog
      opened
      onClose={() => {
        // The dialog also closes when it is done. Then the link takes its place.
        if (!isMade.current) onClose()
      }}
      title={t('new.title')}
      confirmLabel={t('new.confirm')}
      isDisabled={!areValid || reference === ''}
      effect={
        <Stack gap={4}>
          {areValid && (
            <Text size="sm">
              {t('new.total')} <Money amount={totalOf(lines, currency)} currency={currency} />
            </Text>
          )}
          <Text size="sm">{t('new.effect')}</Text>
        </Stack>
      }
      run={async (quittance) => {
        const reply = await quittance.orders.create(
          {
            reference_number: reference,
            currency,
            line_items: lines.map(({ label, price, quantity }) => ({
              purchasable_type: 'Charge' as const,
              label,
              price,
              quantity: Number(quantity),
            })),
            ...(customer !== null && { customer_uuid: customer }),
            ...(expiry !== null && { timeout: { timer: expiry } }),
          },
          // Refused where nobody could pay the order.
          { with_payment_link: true },
        )
        isMade.current = true
        return reply
      }}
      onDone={({ order }) => setMade(order)}
    >
      <RowsField
        rows={lines}
        added={NEW_LINE}
        addLabel={t('new.add_line')}
        labelOf={(_line, index) => t('new.line', { number: index + 1 })}
        removeLabel={(_line, index) => t('new.remove_line', { number: index + 1 })}
        onChange={setLines}
      >
        {(line, change) => <LineFields line={line} currency={currency} onChange={change} />}
      </RowsField>
      <Group grow align="flex-start">
        <TextInput
          label={t('new.currency')}
          required
          maxLength={3}
          value={currency}
          onChange={(event) => setCurrency(event.currentTarget.value)}
        />
        <Select
          label={t('new.expiry')}
          placeholder={t('new.expiry_none')}
          clearable
          data={EXPIRIES.map((value) => ({ value, label: t(`new.expiries.${value}`) }))}
          value={expiry}
          onChange={setExpiry}
        />
      </Group>
      {customerUuid === undefined && (
        <CustomerSelect isRequired={false} value={customer} onChange={setCustomer} />
      )}
      <TextInput
        label={t('column.reference_number')}
        description={t('new.reference_hint')}
        required
        maxLength={255}
        value={reference}
        onChange={(event) => setReference(event.currentTarget.value)}
      />
    </ActionDialog>
  )
}

interface LineFieldsProps {
  readonly line: LineDraft
  readonly currency: string
  readonly onChange: (members: Partial<LineDraft>) => void
}

function LineFields({ line, currency, onChange }: LineFieldsProps) {
  const { t } = useTranslation('orders')
  return (
    <>
      <TextInput
        label={t('new.label')}
        description={t('new.label_hint')}
        required
        data-autofocus
        maxLength={255}
        value={line.label}
        onChange={(event) => onChange({ label: event.currentTarget.value })}
      />
      <Group grow align="flex-start">
        <NumberInput
          label={t('new.quantity')}
          required
          min={1}
          max={1_000_000_000}
          allowDecimal={false}
          value={line.quantity}
          onChange={(quantity) => onChange({ quantity })}
        />
        <AmountField
          label={t('new.price')}
          value={line.price}
          currency={isCurrency(currency) ? currency : ''}
          onChange={(price) => onChange({ price })}
        />
      </Group>
    </>
  )
}

function isValid({ label, quantity, price }: LineDraft, currency: string): boolean {
  return label.trim() !== '' && Number(quantity) >= 1 && amountProblem(price, currency) === undefined
}

function totalOf(lines: readonly LineDraft[], currency: string): string {
  const minor = lines.reduce(
    (sum, { quantity, price }) => sum + BigInt(quantity) * toMinorUnits(price, currency),
    0n,
  )
  return fromMinorUnits(minor, currency)
}

function newReference(): string {
  const day = new Date().toISOString().slice(0, 10)
  return `${day}-${crypto.randomUUID().slice(0, 8)}`
}
