import { Group, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Order } from 'quittance'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useShell } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { AmountField, amountProblem } from '#components/amount-field.tsx'
import { OrderLinkDialog } from '#pages/orders/order-dialogs.tsx'
import { CustomerSelect } from '#pages/plans/customer-select.tsx'

/** Makes an order and shows the link where its payer pays. */
export function NewOrderDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('orders')
  const { quittance } = useApi()
  const navigate = useNavigate()
  const [currency, setCurrency] = useState(useShell().membership.business.currency ?? 'HKD')
  const [amount, setAmount] = useState('')
  const [label, setLabel] = useState('')
  const [reference, setReference] = useState(newReference)
  const [customer, setCustomer] = useState<string | null>(null)
  const [made, setMade] = useState<Order>()
  const isMade = useRef(false)
  const isCurrency = /^[A-Z]{3}$/.test(currency)
  const showOrder = ({ number }: Order) => {
    onClose()
    void navigate({ to: '/orders/$number', params: { number } })
  }
  if (made !== undefined) {
    return <OrderLinkDialog kind="payment_link" order={made} onClose={() => showOrder(made)} />
  }
  return (
    <ActionDialog
      opened
      onClose={() => {
        // The dialog also closes when it is done. Then the link takes its place.
        if (!isMade.current) onClose()
      }}
      title={t('new.title')}
      confirmLabel={t('new.confirm')}
      isDisabled={
        !isCurrency || amountProblem(amount, currency) !== undefined || label === '' || reference === ''
      }
      effect={<Text size="sm">{t('new.effect')}</Text>}
      run={async ({ idempotencyKey }) => {
        const reply = await quittance.orders.create(
          {
            reference_number: reference,
            currency,
            line_items: [{ purchasable_type: 'Charge', label, price: amount, quantity: 1 }],
            ...(customer !== null && { customer_uuid: customer }),
          },
          {},
          { idempotencyKey },
        )
        isMade.current = true
        return reply
      }}
      onDone={({ order }) => setMade(order)}
    >
      <Group grow align="flex-start">
        <AmountField
          label={t('column.amount')}
          value={amount}
          currency={isCurrency ? currency : ''}
          onChange={setAmount}
        />
        <TextInput
          label={t('filter.currency')}
          required
          maxLength={3}
          value={currency}
          onChange={(event) => setCurrency(event.currentTarget.value.toUpperCase())}
        />
      </Group>
      <TextInput
        label={t('new.label')}
        description={t('new.label_hint')}
        required
        maxLength={255}
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <CustomerSelect isRequired={false} value={customer} onChange={setCustomer} />
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

function newReference(): string {
  const day = new Date().toISOString().slice(0, 10)
  return `${day}-${crypto.randomUUID().slice(0, 8)}`
}
