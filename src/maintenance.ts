import { rewrapAcquirerCredentials, verifyAcquirers } from '#modules/acquirers'
import { AUDIT_LOG_PERSONAL_DATA, verifyAuditLog } from '#modules/audit-log'
import { rewrapWebhookSecrets } from '#modules/businesses'
import { BULK_ACTIONS_PERSONAL_DATA, END_BULK_ACTION_LEASES, verifyBulkActions } from '#modules/bulk-actions'
import { CARDS_PERSONAL_DATA, rewrapCardNumbers, rewrapHookSecret, verifyCards } from '#modules/cards'
import {
  CUSTOMERS_PERSONAL_DATA,
  END_TOKEN_LEASES,
  rewrapPaymentTokens,
  verifyCustomers,
} from '#modules/customers'
import { DISPUTES_PERSONAL_DATA, END_SUBMISSION_LEASES, verifyDisputes } from '#modules/disputes'
import {
  PAYMENTS_PERSONAL_DATA,
  END_OPERATION_LEASES,
  rewrapReturned,
  verifyPayments,
} from '#modules/payments'
import { verifyPersonalData } from '#modules/personal-data'
import { REQUEST_LOG_PERSONAL_DATA } from '#modules/request-log'
import { verifyReconciliations } from '#modules/reconciliation'
import { RECURRING_PERSONAL_DATA, verifyRecurring } from '#modules/recurring'
import { verifyReports } from '#modules/reports'
import { END_ADVANCE_LEASES, verifySandbox } from '#modules/sandbox'
import { WALLETS_PERSONAL_DATA, END_CHAIN_LEASES, verifyWallets } from '#modules/wallets'
import { rewrapSignInSecret, USERS_PERSONAL_DATA, verifyUsers } from '#modules/users'
import { WEBHOOKS_PERSONAL_DATA, rewrapEndpointSecrets, verifyWebhooks } from '#modules/webhooks'
import { EVENTS_PERSONAL_DATA } from '#platform/events/personal-data'
import { IDEMPOTENCY_PERSONAL_DATA } from '#platform/idempotency/personal-data'
import type { Database } from '#platform/postgres/database'
import type { Keyring } from '#platform/security/keyring'
import type { Rewrap } from '#platform/security/rewrap'
import { type Verification, verifyEvents } from '#platform/verify'

/** Run at start by a process that is alone on its database: whoever held these leases is dead. */
export const END_LEASES = [
  END_OPERATION_LEASES,
  END_SUBMISSION_LEASES,
  END_TOKEN_LEASES,
  END_ADVANCE_LEASES,
  END_CHAIN_LEASES,
  END_BULK_ACTION_LEASES,
]

export function verifications(db: Database): Verification[] {
  return [
    verifyEvents(db),
    verifyUsers(db),
    verifyAcquirers(db),
    verifyCustomers(db),
    verifyPayments(db),
    verifyDisputes(db),
    verifyReconciliations(db),
    verifyRecurring(db),
    verifyCards(db),
    verifyWallets(db),
    verifyWebhooks(db),
    verifyBulkActions(db),
    verifyReports(db),
    verifyPersonalData(db),
    verifySandbox(db),
    verifyAuditLog(db),
  ]
}

export function rewraps(db: Database, keyring: Keyring): Rewrap[] {
  return [
    rewrapWebhookSecrets(db, keyring),
    rewrapSignInSecret(db, keyring),
    rewrapAcquirerCredentials(db, keyring),
    rewrapPaymentTokens(db, keyring),
    rewrapReturned(db, keyring),
    rewrapCardNumbers(db, keyring),
    rewrapHookSecret(db, keyring),
    rewrapEndpointSecrets(db, keyring),
  ]
}

/** Logs come last: they name objects of all others. */
export const PERSONAL_DATA = [
  CUSTOMERS_PERSONAL_DATA,
  PAYMENTS_PERSONAL_DATA,
  RECURRING_PERSONAL_DATA,
  DISPUTES_PERSONAL_DATA,
  CARDS_PERSONAL_DATA,
  WALLETS_PERSONAL_DATA,
  EVENTS_PERSONAL_DATA,
  WEBHOOKS_PERSONAL_DATA,
  BULK_ACTIONS_PERSONAL_DATA,
  USERS_PERSONAL_DATA,
  IDEMPOTENCY_PERSONAL_DATA,
  REQUEST_LOG_PERSONAL_DATA,
  AUDIT_LOG_PERSONAL_DATA,
]
