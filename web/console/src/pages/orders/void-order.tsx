import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Order } from 'quittance'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'

export function VoidOrder({ order }: { readonly order: Order }) {
  const { t } = useTranslation('orders')
  const api = useApi()
  const [isOpen, dialog] = useDisclosure()
  return (
    <>
      <Button variant="default" size="xs" onClick={dialog.open}>
        {t('void_order.button')}
      </Button>
      <ActionDialog
        opened={isOpen}
        onClose={dialog.close}
        title={t('void_order.title')}
        effect={t('void_order.effect', { reference: order.reference_number })}
        confirmLabel={t('void_order.button')}
        doneMessage={t('void_order.done')}
        isDanger
        run={(options) => api.quittance.orders.void(order.number, options)}
      />
    </>
  )
}
