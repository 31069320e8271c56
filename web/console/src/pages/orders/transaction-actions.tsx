import { Button, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Order, Transaction } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { exactAmount, formatAmount } from '#components/money.tsx'

interface TransactionActionsProps {
  readonly order: Order
  readonly transaction: Transaction
}

/** What can be done with a transaction now, each with its effect shown before. */
export function TransactionActions({ order, transaction }: TransactionActionsProps) {
  const isOpenAuthorization =
    transaction.type === 'Authorization' &&
    transaction.success &&
    transaction.allow_void &&
    !transaction.captured
  return (
    <>
      {transaction.allow_refund && <Change kind="refund" order={order} transaction={transaction} />}
      {isOpenAuthorization && <Change kind="capture" order={order} transaction={transaction} />}
      {transaction.allow_void && <Change kind="void" order={order} transaction={transaction} />}
    </>
  )
}

interface ChangeProps extends TransactionActionsProps {
  readonly kind: 'refund' | 'capture' | 'void'
}

function Change({ kind, transaction }: ChangeProps) {
  const { t, i18n } = useTranslation('orders')
  const api = useApi()
  const [isOpen, dialog] = useDisclosure()
  const { currency } = transaction
  const [amount, setAmount] = useState('')
  const typed = amount.trim()
  const isAmount = typed === '' || (/^\d+(\.\d+)?$/.test(typed) && /[1-9]/.test(typed))
  const shown =
    typed === ''
      ? t('change.all_that_is_left')
      : `${currency} ${formatAmount(typed, currency, i18n.language)}`
  const change = kind === 'void' || typed === '' ? {} : { amount: exactAmount(typed, currency) }
  const id = transaction.uuid
  return (
    <>
      <Button variant="default" size="xs" onClick={dialog.open}>
        {t(`change.${kind}.button`)}
      </Button>
      <ActionDialog
        opened={isOpen}
        onClose={dialog.close}
        title={t(`change.${kind}.title`)}
        effect={t(`change.${kind}.effect`, { amount: shown })}
        confirmLabel={t(`change.${kind}.button`)}
        doneMessage={t(`change.${kind}.done`)}
        isDanger={kind !== 'capture'}
        isDisabled={kind !== 'void' && !isAmount}
        run={(options) =>
          kind === 'refund'
            ? api.quittance.transactions.refund(id, change, options)
            : kind === 'capture'
              ? api.quittance.transactions.capture(id, change, options)
              : api.quittance.transactions.void(id, {}, options)
        }
      >
        {kind !== 'void' && (
          <TextInput
            label={t('change.amount', { currency })}
            description={t('change.amount_hint')}
            inputMode="decimal"
            data-autofocus
            value={amount}
            error={isAmount ? undefined : t('change.amount_wrong')}
            onChange={(event) => setAmount(event.currentTarget.value)}
          />
        )}
      </ActionDialog>
    </>
  )
}
