-- Up Migration

comment on column invoices.cause is
  'Why a credit note was issued: {cause, reason, unsettled_minor, refund_ids}, and since 0048 where its amount went: settlement {due, refunds [[amount, last4]], credit}.';
