import { Stack, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { AddressText } from '#components/address.tsx'
import { Columns } from '#components/columns.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { EmailText } from '#components/email-text.tsx'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Metadata } from '#components/metadata.tsx'
import { Money } from '#components/money.tsx'
import { OrderLink } from '#components/object-name.tsx'
import { ObjectTimeline } from '#components/object-timeline.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { OrderPaymentLink } from '#components/payment-link.tsx'
import { RawObject } from '#components/raw-object.tsx'
import { RelatedList } from '#components/related-list.tsx'
import { Fields, Section } from '#components/section.tsx'
import { TaxIdList } from '#components/tax-id-list.tsx'
import { Time } from '#components/time.tsx'
import { isZeroAmount, leftToCredit } from '#pages/invoices/amounts.ts'
import { CreditNoteDialog } from '#pages/invoices/credit-note-dialog.tsx'
import { DownloadMenu } from '#pages/invoices/download-menu.tsx'
import { InvoiceLines, InvoiceTaxes, InvoiceTotals } from '#pages/invoices/invoice-lines.tsx'
import {
  type DraftInvoice,
  type Invoice,
  invoiceList,
  InvoiceState,
  isIssued,
} from '#pages/invoices/invoice-list.tsx'
import { useNotesOf } from '#pages/invoices/notes-of.ts'
import { PaymentsSection } from '#pages/invoices/payments-section.tsx'

/** The reasons that the service writes on notes that it issues by itself. */
const OWN_REASONS = {
  Refund: 'refund',
  'Order voided': 'void',
  'Change of the plan': 'change',
  Correction: 'reissue',
} as const

function isOwnReason(reason: string): reason is keyof typeof OWN_REASONS {
  return Object.hasOwn(OWN_REASONS, reason)
}

const NewInvoiceDialog = lazy(() =>
  import('#pages/invoices/new-invoice-dialog.tsx').then((page) => ({ default: page.NewInvoiceDialog })),
)
const CorrectDialog = lazy(() =>
  import('#pages/invoices/correct-dialog.tsx').then((page) => ({ default: page.CorrectDialog })),
)

const route = getRouteApi('/shell/invoices/$id')

export function InvoicePage() {
  const { id } = route.useParams()
  const query = useApiQuery(['invoices', id], ({ quittance }, signal) =>
    quittance.invoices.get(id, { signal }),
  )
  return (
    <Loaded query={query}>
      {(invoice) =>
        isIssued(invoice) ? (
          <InvoiceDetails key={id} invoice={invoice} />
        ) : (
          <DraftDetails key={id} draft={invoice} />
        )
      }
    </Loaded>
  )
}

function DraftDetails({ draft }: { readonly draft: DraftInvoice }) {
  const { t } = useTranslation('invoices')
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'edit' | 'issue' | 'remove' | null>(null)
  const { id, taxes, memo, draft: request, currency } = draft
  return (
    <>
      <PageHeader
        title={t('draft.title')}
        badges={<InvoiceState invoice={draft} />}
        back={<TextLink to="/invoices">{t('title')}</TextLink>}
        actions={
          <>
            <ActionButton scope="billing:write" onClick={() => setAsked('remove')}>
              {t('draft.remove')}
            </ActionButton>
            <ActionButton scope="billing:write" onClick={() => setAsked('edit')}>
              {t('draft.edit')}
            </ActionButton>
            <ActionButton scope="billing:write" variant="filled" onClick={() => setAsked('issue')}>
              {t('draft.issue')}
            </ActionButton>
          </>
        }
      />
      <Columns
        main={
          <>
            <Section title={t('lines')}>
              <InvoiceLines invoice={draft} />
              <InvoiceTotals invoice={draft} />
              {memo !== undefined && <Memo text={memo} />}
            </Section>
            {taxes.length > 0 && (
              <Section title={t('taxes')}>
                <InvoiceTaxes invoice={draft} />
              </Section>
            )}
            <RawObject value={draft} />
          </>
        }
        side={
          <Stack gap="md">
            <Section title={t('details')}>
              <Fields
                fields={[
                  [t('column.total'), <Money key="total" amount={draft.total} currency={currency} />],
                  request.collection !== undefined && [
                    t('new.collection'),
                    t(`collection.${request.collection}`),
                  ],
                  draft.reference_id !== null && [
                    t('column.reference_id'),
                    <CopyableId key="ref" id={draft.reference_id} />,
                  ],
                  [t('column.id'), <CopyableId key="id" id={id} />],
                  [t('column.created_at'), <Time key="at" at={draft.created_at} />],
                ]}
              />
            </Section>
            <Parties invoice={draft} />
            <Metadata value={draft} />
          </Stack>
        }
      />
      {asked === 'edit' && (
        <Suspense fallback={null}>
          <NewInvoiceDialog draft={draft} onClose={() => setAsked(null)} />
        </Suspense>
      )}
      <ActionDialog
        opened={asked === 'issue'}
        onClose={() => setAsked(null)}
        title={t('draft.issue_title')}
        confirmLabel={t('draft.issue')}
        doneMessage={t('new.done')}
        effect={t('draft.issue_effect')}
        run={(quittance) => quittance.invoices.issueDraft(id)}
      />
      <ActionDialog
        opened={asked === 'remove'}
        onClose={() => setAsked(null)}
        isDanger
        title={t('draft.remove_title')}
        confirmLabel={t('draft.remove')}
        doneMessage={t('draft.removed')}
        effect={t('draft.remove_effect')}
        run={(quittance) => quittance.invoices.removeDraft(id)}
        onDone={() => void navigate({ to: '/invoices' })}
      />
    </>
  )
}

/** With the line breaks of the one who wrote it. */
function Memo({ text }: { readonly text: string }) {
  return (
    <Text size="sm" mt="xs" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  )
}

function InvoiceDetails({ invoice }: { readonly invoice: Invoice }) {
  const { t } = useTranslation(['invoices', 'tax-ids'])
  const { can } = useApi()
  const [isCrediting, setCrediting] = useState(false)
  const [isCorrecting, setCorrecting] = useState(false)
  const { id, type, number, currency, taxes, notes, memo } = invoice
  const isNote = type === 'credit_note'
  const isCredited = isZeroAmount(leftToCredit(invoice), currency)
  const hasNotes = !isZeroAmount(invoice.credited_total, currency)
  const issuedNotes = useNotesOf(invoice, hasNotes && !isNote)
  return (
    <>
      <PageHeader
        title={t(isNote ? 'title_note' : 'title_one', { number })}
        badges={<InvoiceState invoice={invoice} />}
        back={<TextLink to="/invoices">{t('title')}</TextLink>}
        actions={
          <>
            <DownloadMenu invoice={invoice} />
            {!isNote && (
              <ActionButton
                scope="billing:write"
                blocked={hasNotes ? t('correct.has_notes') : undefined}
                onClick={() => setCorrecting(true)}
              >
                {t('correct.button')}
              </ActionButton>
            )}
            {!isNote && (
              <ActionButton
                scope="billing:write"
                blocked={isCredited ? t('note.nothing_left') : undefined}
                onClick={() => setCrediting(true)}
              >
                {t('note.button')}
              </ActionButton>
            )}
          </>
        }
      />
      <Columns
        main={
          <>
            <Section title={t('lines')}>
              <InvoiceLines invoice={invoice} />
              <InvoiceTotals invoice={invoice} notes={issuedNotes} />
              {memo !== undefined && <Memo text={memo} />}
              {notes.map((note) => (
                <Text key={note} size="sm" mt="xs">
                  {note}
                </Text>
              ))}
            </Section>
            {!isNote && <PaymentsSection invoice={invoice} />}
            {taxes.length > 0 && (
              <Section title={t('taxes')}>
                <InvoiceTaxes invoice={invoice} />
              </Section>
            )}
            {!isNote && (
              <Section title={t('credit_notes')}>
                <RelatedList
                  list={invoiceList}
                  label={t('credit_notes')}
                  empty={t('no_credit_notes')}
                  filter={`invoice_id = ${id}`}
                  columns={['number', 'total', 'issue_date']}
                />
              </Section>
            )}
            {can('payments:read') && (
              <Section title={t('timeline')}>
                <ObjectTimeline of="orders" id={invoice.order_number} />
              </Section>
            )}
            <RawObject value={invoice} />
          </>
        }
        side={
          <Stack gap="md">
            <InvoiceFields invoice={invoice} />
            <Parties invoice={invoice} />
            <Metadata value={invoice} />
          </Stack>
        }
      />
      {isCorrecting && (
        <Suspense fallback={null}>
          <CorrectDialog invoice={invoice} onClose={() => setCorrecting(false)} />
        </Suspense>
      )}
      {isCrediting && <CreditNoteDialog invoice={invoice} onClose={() => setCrediting(false)} />}
    </>
  )
}

function InvoiceFields({ invoice }: { readonly invoice: Invoice }) {
  const { t } = useTranslation('invoices')
  const { can } = useApi()
  const { id, type, currency, invoice_id, invoice_number, plan_id, reason, reference_id } = invoice
  const isPayable = invoice.state === 'open' && type === 'invoice' && can('payments:read')
  return (
    <Section title={t('details')}>
      <Fields
        fields={[
          [t('column.total'), <Money key="total" amount={invoice.total} currency={currency} />],
          type === 'invoice' && [
            t('column.amount_due'),
            <Money key="due" amount={invoice.amount_due} currency={currency} />,
          ],
          isPayable && [t('payment_link'), <OrderPaymentLink key="link" number={invoice.order_number} />],
          [t('column.issue_date'), <Time key="issued" at={invoice.issue_date} />],
          type === 'invoice' && [t('column.due_date'), <Time key="due_date" at={invoice.due_date} />],
          invoice.replaces !== undefined && [
            t('correct.replaces'),
            <TextLink key="replaces" to="/invoices/$id" params={{ id: invoice.replaces }}>
              {t('correct.old')}
            </TextLink>,
          ],
          invoice.replaced_by !== undefined && [
            t('correct.replaced_by'),
            <TextLink key="replaced" to="/invoices/$id" params={{ id: invoice.replaced_by }}>
              {t('correct.new')}
            </TextLink>,
          ],
          invoice_id !== undefined && [
            t('corrects'),
            <TextLink key="invoice" to="/invoices/$id" params={{ id: invoice_id }}>
              {invoice_number}
            </TextLink>,
          ],
          reason !== undefined && [
            t('column.reason'),
            isOwnReason(reason) ? t(`own_reason.${OWN_REASONS[reason]}`) : reason,
          ],
          [t('column.order_number'), <OrderLink key="order" number={invoice.order_number} />],
          plan_id !== undefined && [
            t('column.plan_id'),
            <TextLink key="plan" to="/plans/$id" params={{ id: plan_id }}>
              {t('show_plan')}
            </TextLink>,
          ],
          invoice.buyer_reference !== undefined && [t('buyer_reference'), invoice.buyer_reference],
          invoice.purchase_order !== undefined && [t('purchase_order'), invoice.purchase_order],
          [t('column.payment_reference'), <CopyableId key="payment" id={invoice.payment_reference} />],
          reference_id !== null && [t('column.reference_id'), <CopyableId key="ref" id={reference_id} />],
          [t('column.id'), <CopyableId key="id" id={id} />],
          [t('column.created_at'), <Time key="at" at={invoice.created_at} />],
        ]}
      />
    </Section>
  )
}

/** As they were when the document was issued. */
function Parties({ invoice: { seller, buyer } }: { readonly invoice: Pick<Invoice, 'seller' | 'buyer'> }) {
  const { t } = useTranslation('invoices')
  return (
    <>
      <Section title={t('column.customer')}>
        <TextLink to="/customers/$uuid" params={{ uuid: buyer.customer_uuid }} fz="sm">
          {buyer.name}
        </TextLink>
        {buyer.address === null ? (
          <Text size="sm" c="dimmed">
            {t('no_address')}
          </Text>
        ) : (
          <AddressText address={buyer.address} />
        )}
        {buyer.tax_ids.length > 0 && <TaxIdList ids={buyer.tax_ids} />}
        {buyer.email !== null && (
          <Text size="sm">
            <EmailText address={buyer.email} />
          </Text>
        )}
      </Section>
      <Section title={t('column.seller')}>
        <TextLink to="/settings/legal-entities/$id" params={{ id: seller.legal_entity_id }} fz="sm">
          {seller.name}
        </TextLink>
        <AddressText address={seller.address} />
        {seller.tax_ids.length > 0 && <TaxIdList ids={seller.tax_ids} />}
        {seller.bank?.iban !== undefined && <Text size="sm">IBAN {seller.bank.iban}</Text>}
        {seller.bank?.account_number !== undefined && (
          <Text size="sm">{t('account_number', { value: seller.bank.account_number })}</Text>
        )}
      </Section>
    </>
  )
}
