import { rewrapAcquirerCredentials, verifyAcquirers } from '#modules/acquirers'
import { verifyAuditLog } from '#modules/audit-log'
import { rewrapWebhookSecrets } from '#modules/businesses'
import { END_BULK_ACTION_LEASES, verifyBulkActions } from '#modules/bulk-actions'
import { rewrapCardNumbers, rewrapHookSecret, verifyCards } from '#modules/cards'
import { END_TOKEN_LEASES, rewrapPaymentTokens, verifyCustomers } from '#modules/customers'
import { END_SUBMISSION_LEASES, verifyDisputes } from '#modules/disputes'
import { END_OPERATION_LEASES, verifyPayments } from '#modules/payments'
import { verifyPersonalData } from '#modules/personal-data'
import { verifyReconciliations } from '#modules/reconciliation'
import { verifyRecurring } from '#modules/recurring'
import { verifyReports } from '#modules/reports'
import { END_ADVANCE_LEASES, verifySandbox } from '#modules/sandbox'
import { END_CHAIN_LEASES, verifyWallets } from '#modules/wallets'
import { rewrapSignInSecret, verifyUsers } from '#modules/users'
import { rewrapEndpointSecrets, verifyWebhooks } from '#modules/webhooks'
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
    rewrapCardNumbers(db, keyring),
    rewrapHookSecret(db, keyring),
    rewrapEndpointSecrets(db, keyring),
  ]
}
