import { createRouter } from '@tanstack/react-router'
import { CONSOLE_PATH } from '#app/base-path.ts'
import { rootRoute, shellRoute } from '#app/routes.tsx'
import { reloadIfOutdated, watchForUpgrades } from '#app/upgrade.ts'
import { ErrorPage } from '#components/error-pages.tsx'
import { PageSkeleton } from '#components/page-skeleton.tsx'
import { accountRoutes } from '#pages/account/routes.tsx'
import { auditRoutes } from '#pages/audit/routes.tsx'
import { bankTransferRoutes } from '#pages/bank-transfers/routes.tsx'
import { cardRoutes } from '#pages/cards/routes.tsx'
import { couponRoutes } from '#pages/coupons/routes.tsx'
import { customerRoutes } from '#pages/customers/routes.tsx'
import { disputeRoutes } from '#pages/disputes/routes.tsx'
import { eventRoutes } from '#pages/events/routes.tsx'
import { findRoutes } from '#pages/find/routes.tsx'
import { homeRoutes } from '#pages/home/routes.tsx'
import { invoiceRoutes } from '#pages/invoices/routes.tsx'
import { messageRoutes } from '#pages/messages/routes.tsx'
import { orderRoutes } from '#pages/orders/routes.tsx'
import { planRoutes } from '#pages/plans/routes.tsx'
import { dunningRoutes } from '#pages/dunning/routes.tsx'
import { productRoutes } from '#pages/products/routes.tsx'
import { reconciliationRoutes } from '#pages/reconciliations/routes.tsx'
import { reportRoutes } from '#pages/reports/routes.tsx'
import { requestRoutes } from '#pages/requests/routes.tsx'
import { sandboxRoutes } from '#pages/sandbox/routes.tsx'
import { searchRoutes } from '#pages/search/routes.tsx'
import { settingsRoutes } from '#pages/settings/routes.tsx'
import { signInRoutes } from '#pages/sign-in/routes.tsx'
import { transactionRoutes } from '#pages/transactions/routes.tsx'
import { walletRoutes } from '#pages/wallets/routes.tsx'
import { webhookRoutes } from '#pages/webhooks/routes.tsx'

const routeTree = rootRoute.addChildren([
  ...signInRoutes,
  ...accountRoutes,
  shellRoute.addChildren([
    ...homeRoutes,
    ...reportRoutes,
    ...orderRoutes,
    ...invoiceRoutes,
    ...transactionRoutes,
    ...customerRoutes,
    ...planRoutes,
    ...productRoutes,
    ...dunningRoutes,
    ...couponRoutes,
    ...cardRoutes,
    ...walletRoutes,
    ...disputeRoutes,
    ...reconciliationRoutes,
    ...bankTransferRoutes,
    ...messageRoutes,
    ...webhookRoutes,
    ...eventRoutes,
    ...requestRoutes,
    ...auditRoutes,
    ...sandboxRoutes,
    ...searchRoutes,
    ...findRoutes,
    ...settingsRoutes,
  ]),
])

export const router = createRouter({
  routeTree,
  basepath: CONSOLE_PATH,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPendingComponent: PageSkeleton,
  defaultPendingMs: 200,
  // Of each page, so that a failure of one leaves the shell around it.
  defaultErrorComponent: ErrorPage,
})

watchForUpgrades()
router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && reloadIfOutdated())

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
