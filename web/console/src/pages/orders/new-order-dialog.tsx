import { Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Order } from 'quittance'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { MoneyFields, useEnteredMoney } from '#components/money-fields.tsx'
import { OrderLinkDialog } from '#pages/orders/order-dialogs.tsx'
import { CustomerSelect } from '#pages/plans/customer-select.tsx'

/** Makes an order and shows the link where its payer pays. */
export function NewOrderDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('orders')
  const navigate = useNavigate()
  const money = useEnteredMoney()
  const [label, setLabel] = useState('')
  const [reference, setReference] = useState(newReference)
  const [customer, setCustomer] = useState<string | null>(null)
  const [made, setMade] = useState<Order>()
  const isMade = useRef(false)
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
      isDisabled={!money.isValid || label === '' || reference === ''}
      effect={<Text size="sm">{t('new.effect')}</Text>}
      run={async (quittance) => {
        const reply = await quittance.orders.create(
          {
            reference_number: reference,
            currency: money.currency,
            line_items: [{ purchasable_type: 'Charge', label, price: money.amount, quantity: 1 }],
            ...(customer !== null && { customer_uuid: customer }),
          },
          // Refused where nobody could pay the order.
          { with_payment_link: true },
        )
        isMade.current = true
        return reply
      }}
      onDone={({ order }) => setMade(order)}
    >
      <MoneyFields label={t('column.amount')} money={money} />
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
