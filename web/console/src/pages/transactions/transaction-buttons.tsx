import { Group } from '@mantine/core'
import type { Order, Transaction } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { actionsOf, type TransactionAction } from '#pages/transactions/offered-actions.ts'
import { TransactionDialog } from '#pages/transactions/transaction-dialogs.tsx'

const SCOPES = {
  refund: 'payments:write',
  capture: 'payments:write',
  void: 'payments:write',
  decide: 'admin:write',
  undo: 'billing:write',
} as const satisfies Record<TransactionAction, string>

interface TransactionButtonsProps {
  readonly order: Order
  readonly transaction: Transaction
  readonly size?: 'compact-xs' | 'sm'
}

/** What can be done with a transaction now. */
export function TransactionButtons({ order, transaction, size = 'sm' }: TransactionButtonsProps) {
  const { t } = useTranslation('transactions')
  const [action, setAction] = useState<TransactionAction | null>(null)
  return (
    <>
      <Group gap={6}>
        {actionsOf(transaction, order).map((name) => (
          <ActionButton key={name} size={size} scope={SCOPES[name]} onClick={() => setAction(name)}>
            {t(`${name}.button`)}
          </ActionButton>
        ))}
      </Group>
      <TransactionDialog
        order={order}
        transaction={transaction}
        action={action}
        onClose={() => setAction(null)}
      />
    </>
  )
}
