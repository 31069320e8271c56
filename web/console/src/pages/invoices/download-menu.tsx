import { Alert, Button, List, Menu } from '@mantine/core'
import { ModalDialog } from '#components/modal-dialog.tsx'
import { IconChevronDown, IconDownload } from '#components/icons.tsx'
import { useMutation } from '@tanstack/react-query'
import { ApiError } from 'quittance'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ErrorState } from '#components/error-state.tsx'
import { TextLink } from '#components/links.tsx'
import { saveResponse } from '#components/save-response.ts'
import type { Invoice } from '#pages/invoices/invoice-list.tsx'

const FORMATS = {
  pdf: '.pdf',
  facturx: '-facturx.pdf',
  xrechnung: '-xrechnung.xml',
  peppol: '-peppol.xml',
  ubl: '-ubl.xml',
  cii: '-cii.xml',
} as const

type Format = keyof typeof FORMATS

/**
 * The files of a document. Names the data that it lacks for an electronic invoice, and the page where later ones get
 * them.
 */
export function DownloadMenu({ invoice }: { readonly invoice: Invoice }) {
  const { t } = useTranslation('invoices')
  const { quittance } = useApi()
  const download = useMutation({
    mutationFn: async (format: Format) => {
      const response = await quittance.invoices.document(invoice.id, format)
      await saveResponse(response, `${invoice.number.replaceAll(/[^\w.-]+/g, '-')}${FORMATS[format]}`)
    },
  })
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            loading={download.isPending}
            leftSection={<IconDownload size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {t('download.button')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(FORMATS) as Format[]).map((format) => (
            <Menu.Item key={format} onClick={() => download.mutate(format)}>
              {t(`download.${format}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ModalDialog
        opened={download.error !== null}
        onClose={download.reset}
        title={t('download.failed')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <DownloadError error={download.error} invoice={invoice} />
      </ModalDialog>
    </>
  )
}

function DownloadError({ error, invoice }: { readonly error: unknown; readonly invoice: Invoice }) {
  const { t } = useTranslation('invoices')
  const missing = error instanceof ApiError ? error.data.missing : undefined
  if (missing === undefined) return <ErrorState error={error} />
  const { legal_entity_id: id } = invoice.seller
  return (
    <Alert
      color="orange"
      title={t('missing.title')}
      styles={{ message: { color: 'var(--mantine-color-text)' } }}
    >
      <List size="sm" mb="xs">
        {missing.map((member) => (
          <List.Item key={member}>
            {t(`missing.${member.replaceAll('.', '_')}`, { defaultValue: member })}
          </List.Item>
        ))}
      </List>
      {t('missing.text')}{' '}
      {missing.some((member) => member.startsWith('buyer.')) && (
        <TextLink to="/customers/$uuid" params={{ uuid: invoice.buyer.customer_uuid }}>
          {t('missing.to_customer')}
        </TextLink>
      )}{' '}
      {missing.some((member) => member.startsWith('seller.')) && (
        <TextLink to="/settings/legal-entities/$id" params={{ id }}>
          {t('missing.to_entity')}
        </TextLink>
      )}
    </Alert>
  )
}
