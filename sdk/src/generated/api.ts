// Generated from openapi.json by `npm run sdk:generate`. Do not edit.
import type { Decimal } from "../money.ts";
export interface paths {
    "/svc/account/api/v1/openapi/business": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the business
         * @description Scope: `admin:read`.
         */
        get: operations["getBusiness"];
        /**
         * Set name, time zone and currency of the business
         * @description Members that are left out stay as they are. The name is that of both environments; time zone and currency are those of this one.
         *
         *     Scope: `admin:write`.
         */
        put: operations["putBusiness"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/account/api/v1/openapi/api_keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The keys of the business in the environment, with expired and revoked ones.
         *
         *     Scope: `keys:read`.
         */
        get: operations["getApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The key belongs to your app, or to the oldest app when a user of the console makes it.
         *
         *     Scope: `keys:write`.
         */
        post: operations["postApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/account/api/v1/openapi/api_keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description The key is refused everywhere once the reply is sent.
         *
         *     Scope: `keys:write`.
         */
        delete: operations["deleteApiKeysById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/account/api/v1/openapi/apps/self/signing_key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the key that verifies the app’s request signatures
         * @description Scope: `admin:read`.
         */
        get: operations["getAppsSelfSigningKey"];
        /**
         * Register the key that verifies the app’s request signatures
         * @description Scope: `admin:write`.
         */
        put: operations["putAppsSelfSigningKey"];
        post?: never;
        /**
         * Remove the key that verifies the app’s request signatures
         * @description Scope: `admin:write`.
         */
        delete: operations["deleteAppsSelfSigningKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/account/api/v1/openapi/apps/self/encryption_key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the key that card numbers are encrypted with
         * @description Scope: `admin:read`.
         */
        get: operations["getAppsSelfEncryptionKey"];
        /**
         * Register the key that card numbers are encrypted with
         * @description Scope: `admin:write`.
         */
        put: operations["putAppsSelfEncryptionKey"];
        post?: never;
        /**
         * Remove the key that card numbers are encrypted with
         * @description Scope: `admin:write`.
         */
        delete: operations["deleteAppsSelfEncryptionKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/account/api/v1/openapi/branding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what payers see of the business
         * @description Scope: `admin:read`.
         */
        get: operations["getBranding"];
        /**
         * Set what payers see of the business
         * @description Members that are left out stay as they are; null removes a value.
         *
         *     Scope: `admin:write`.
         */
        put: operations["putBranding"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/account/api/v1/openapi/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of the business
         * @description Scope: `users:read`.
         */
        get: operations["getMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/account/api/v1/openapi/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the roles of a member
         * @description A role that is not sent stays as it is. Null takes the environment away.
         *
         *     Scope: `users:write`.
         */
        put: operations["putMembersById"];
        post?: never;
        /**
         * Remove a member
         * @description Scope: `users:write`.
         */
        delete: operations["deleteMembersById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/account/api/v1/openapi/members/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sessions of a member
         * @description Scope: `users:read`.
         */
        get: operations["getMembersByIdSessions"];
        put?: never;
        post?: never;
        /**
         * End all sessions of a member
         * @description Scope: `users:write`.
         */
        delete: operations["deleteMembersByIdSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/account/api/v1/openapi/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invitations
         * @description Scope: `users:read`.
         */
        get: operations["getInvitations"];
        put?: never;
        /**
         * Invite somebody
         * @description Scope: `users:write`.
         */
        post: operations["postInvitations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/account/api/v1/openapi/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description Scope: `users:write`.
         */
        delete: operations["deleteInvitationsById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/account/api/v1/openapi/acquirer_accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List acquirer accounts
         * @description Scope: `admin:read`.
         */
        get: operations["getAcquirerAccounts"];
        put?: never;
        /**
         * Connect an account at an acquirer
         * @description The acquirer is asked whether it accepts the credentials, which are then stored encrypted.
         *
         *     Scope: `admin:write`.
         */
        post: operations["postAcquirerAccounts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/account/api/v1/openapi/acquirer_accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an acquirer account
         * @description Scope: `admin:read`.
         */
        get: operations["getAcquirerAccountsById"];
        /**
         * Edit an acquirer account
         * @description A member that is left out stays. Another api_base needs the credentials again.
         *
         *     Scope: `admin:write`.
         */
        put: operations["putAcquirerAccountsById"];
        post?: never;
        /**
         * Disable an acquirer account
         * @description It takes no new payments. Those that it has are finished, captured and refunded there.
         *
         *     Scope: `admin:write`.
         */
        delete: operations["deleteAcquirerAccountsById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/account/api/v1/openapi/routing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the routing rules
         * @description Scope: `admin:read`.
         */
        get: operations["getRouting"];
        /**
         * Replace the routing rules
         * @description The first rule that matches a payment chooses its account.
         *
         *     Scope: `admin:write`.
         */
        put: operations["putRouting"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/account/api/v1/openapi/routing/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the route of a payment
         * @description Says which account a payment would go to, and why. Nothing is stored.
         *
         *     Scope: `admin:read`.
         */
        post: operations["postRoutingPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers
         * @description Scope: `customers:read`.
         */
        get: operations["getCustomers"];
        put?: never;
        /**
         * Create a customer
         * @description If another customer has the `reference_number`, the response is 409 with that customer.
         *
         *     Scope: `customers:write`.
         */
        post: operations["postCustomers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer by uuid
         * @description Scope: `customers:read`.
         */
        get: operations["getCustomersById"];
        /**
         * Edit a customer
         * @description Members that are left out stay as they are.
         *
         *     Scope: `customers:write`.
         */
        put: operations["putCustomersById"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/customers/ref/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer by your reference number
         * @description Scope: `customers:read`.
         */
        get: operations["getCustomersRefById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/customers/{uuid}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a session of a customer on payment pages
         * @description Add the token to a payment link of the customer's order as `?customer_session=…`: the page then offers the saved cards at once. Give it only to a payer who is signed in as this customer.
         *
         *     Scope: `customers:write`.
         */
        post: operations["postCustomersByUuidSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/customers/{uuid}/payment_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a customer's payment tokens
         * @description Scope: `customers:read`.
         */
        get: operations["getCustomersByUuidPaymentTokens"];
        put?: never;
        /**
         * Bind a card or a wallet to a customer
         * @description Verifies the card or wallet without moving money. The response is 200 in every case: the token is `active`, `failed`, or `pending` until the payer confirms it at `verify_url`. The test environment accepts test cards only: 4242424242424242 approves, 4000000000000002 cannot be bound, 4000002500003155 asks for 3-D Secure. When they are charged, 4000000000000341 declines, 4000000000009995 has insufficient funds, 4000000000009987 is lost, 4000000000009979 stolen, 4000000000000127 is booked but never answered, 4000000000000119 is neither booked nor answered.
         *
         *     Scope: `customers:write`.
         */
        post: operations["postCustomersByUuidPaymentTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/customers/{uuid}/payment_tokens/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a payment token
         * @description Scope: `customers:write`.
         */
        delete: operations["deleteCustomersByUuidPaymentTokensByToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/customers/{uuid}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notes on a customer
         * @description Scope: `customers:read`.
         */
        get: operations["getCustomersByUuidNotes"];
        put?: never;
        /**
         * Write a note on a customer
         * @description Only the merchant sees it.
         *
         *     Scope: `customers:write`.
         */
        post: operations["postCustomersByUuidNotes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/customers/{uuid}/notes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a note on a customer
         * @description Scope: `customers:write`.
         */
        delete: operations["deleteCustomersByUuidNotesById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/legal_entities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List legal entities
         * @description Scope: `billing:read`.
         */
        get: operations["getLegalEntities"];
        put?: never;
        /**
         * Create a legal entity
         * @description Who sells: the seller of invoices, and where it is registered for tax.
         *
         *     Scope: `billing:write`.
         */
        post: operations["postLegalEntities"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/legal_entities/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a legal entity
         * @description Scope: `billing:read`.
         */
        get: operations["getLegalEntitiesById"];
        /**
         * Edit a legal entity
         * @description Members that are left out stay. Documents that were issued keep what they say.
         *
         *     Scope: `billing:write`.
         */
        put: operations["putLegalEntitiesById"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the billing settings
         * @description Scope: `billing:read`.
         */
        get: operations["getSettings"];
        /**
         * Edit the billing settings
         * @description How new plans are invoiced. Members that are left out stay, and so do plans that exist.
         *
         *     Scope: `billing:write`.
         */
        put: operations["putSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/customers/{uuid}/billing_details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the billing details of a customer
         * @description Scope: `billing_details:read`.
         */
        get: operations["getCustomersByUuidBillingDetails"];
        /**
         * Edit the billing details of a customer
         * @description Members that are left out stay, and null removes one.
         *
         *     Scope: `billing_details:write`. With `tax_exempt` or `exempt_reason` also `billing:write`.
         */
        put: operations["putCustomersByUuidBillingDetails"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/tax_rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tax rates
         * @description Scope: `billing:read`.
         */
        get: operations["getTaxRates"];
        put?: never;
        /**
         * Create a tax rate
         * @description Scope: `billing:write`.
         */
        post: operations["postTaxRates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/tax_rates/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import tax rates
         * @description Creates the rates of all lines or none. Lines that say what is stored change nothing. If a line is wrong, `data.lines` of the refusal says why.
         *
         *     Scope: `billing:write`.
         */
        post: operations["postTaxRatesImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/tax_rates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tax rate
         * @description Scope: `billing:read`.
         */
        get: operations["getTaxRatesById"];
        /**
         * Edit the end of a tax rate
         * @description Orders that were made keep their tax.
         *
         *     Scope: `billing:write`.
         */
        put: operations["putTaxRatesById"];
        post?: never;
        /**
         * Remove a tax rate that taxed nothing
         * @description Scope: `billing:write`.
         */
        delete: operations["deleteTaxRatesById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/exchange_rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List exchange rates
         * @description The newest date first.
         *
         *     Scope: `billing:read`.
         */
        get: operations["getExchangeRates"];
        /**
         * Set exchange rates
         * @description Each rate takes the place of the one of its day and currencies; others stay. Documents that were issued without a rate get theirs, the other ones keep what they say.
         *
         *     Scope: `billing:write`.
         */
        put: operations["putExchangeRates"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/tax_engine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the tax engine
         * @description Scope: `billing:read`.
         */
        get: operations["getTaxEngine"];
        /**
         * Register the tax engine
         * @description It is asked for the taxes of lines, signed as webhooks are, and replaces your rates. The secret is shown when it is created; a later change keeps it.
         *
         *     Scope: `billing:write`.
         */
        put: operations["putTaxEngine"];
        post?: never;
        /**
         * Remove the tax engine
         * @description Scope: `billing:write`.
         */
        delete: operations["deleteTaxEngine"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description Scope: `payments:read`.
         */
        get: operations["getOrders"];
        put?: never;
        /**
         * Create an order
         * @description Send `initial_total`, `line_items` or both, which must agree. If another order has the `reference_number`, the response is 409 with the number of that order.
         *
         *     Scope: `payments:write`.
         */
        post: operations["postOrders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/orders/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an order
         * @description Name the order by its `number`, its `reference_number` or the `uuid` of one of its transactions. There is a payment link only while the order can be paid.
         *
         *     Scope: `payments:read`.
         */
        post: operations["postOrdersCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/orders/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void an order
         * @description Voids the transactions of the order at the acquirer, then the order. This works only while nothing is settled. Voiding a voided order again returns 200; after a 504 the next call resumes the void.
         *
         *     Scope: `payments:write`.
         */
        post: operations["postOrdersVoid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/orders/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay an order with a stored token or a wallet
         * @description Without `amount` the payment takes all that is left. With `payment_method` in place of `payment_token` the payer confirms in the app of a wallet or, for FPS, of a bank: `next_action` has our page, and on a desktop the text of the code. When the response has a `next_action`, send the payer to its `url`. A declined payment returns 402 with the failed transaction. After a 504 do not pay again: the service finds out the outcome.
         *
         *     Scope: `payments:write`.
         */
        post: operations["postOrdersPay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transactions
         * @description The transactions of all orders, newest first.
         *
         *     Scope: `payments:read`.
         */
        get: operations["getTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/transactions/capture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Capture an authorization
         * @description An Authorization can be captured several times, up to its amount, within 7 days.
         *
         *     Scope: `payments:write`.
         */
        post: operations["postTransactionsCapture"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/transactions/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a sale or capture
         * @description A payment can be refunded several times, up to its amount. A Refund has a negative amount.
         *
         *     Scope: `payments:write`.
         */
        post: operations["postTransactionsRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/transactions/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void a transaction
         * @description A transaction can be voided as a whole, until it settles and while no part of it was captured or refunded.
         *
         *     Scope: `payments:write`.
         */
        post: operations["postTransactionsVoid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/transactions/decide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide an unknown outcome
         * @description For a transaction whose outcome no inquiry can find out, a day after it was sent. Look at the acquirer first: `succeeded` means that the acquirer moved the money.
         *
         *     Scope: `admin:write`.
         */
        post: operations["postTransactionsDecide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/customers/{uuid}/spend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what a customer has paid
         * @description Of all orders of the customer, by currency, less what went back.
         *
         *     Scope: `payments:read`.
         */
        get: operations["getCustomersByUuidSpend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/orders/spreadsheet.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the orders of a range of days as a spreadsheet
         * @description For people: those of a range of days, newest first, with local times and names. The CSV of the list has every member.
         *
         *     Scope: `payments:read`.
         */
        get: operations["getOrdersSpreadsheetCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/transactions/spreadsheet.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the transactions of a range of days as a spreadsheet
         * @description For people: those of a range of days, newest first, with local times and names. The CSV of the list has every member.
         *
         *     Scope: `payments:read`.
         */
        get: operations["getTransactionsSpreadsheetCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List disputes
         * @description Scope: `payments:read`.
         */
        get: operations["getDisputes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/disputes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a dispute
         * @description Scope: `payments:read`.
         */
        get: operations["getDisputesById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/disputes/{id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Stage evidence
         * @description Nothing is sent to the acquirer yet. A request has at most 1 MiB, so large files are sent one by one.
         *
         *     Scope: `payments:write`.
         */
        put: operations["putDisputesByIdEvidence"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/disputes/{id}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit the staged evidence
         * @description Evidence is submitted once. After that the acquirer and the issuer decide.
         *
         *     Scope: `payments:write`.
         */
        post: operations["postDisputesByIdSubmit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/reconciliations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reconciliations
         * @description One for each payout, and one for each day with lines that no payout pays yet.
         *
         *     Scope: `payments:read`.
         */
        get: operations["getReconciliations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/reconciliations/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare the books now
         * @description Each active account is compared once a day anyway.
         *
         *     Scope: `payments:write`.
         */
        post: operations["postReconciliationsRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/reconciliations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a reconciliation
         * @description Scope: `payments:read`.
         */
        get: operations["getReconciliationsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/reconciliations/{id}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the lines of a reconciliation
         * @description Scope: `payments:read`.
         */
        get: operations["getReconciliationsByIdEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/reconciliations/{id}/report.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the lines of a reconciliation as CSV
         * @description Scope: `payments:read`.
         */
        get: operations["getReconciliationsByIdReportCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices and credit notes
         * @description Newest first, or by `sort`. Drafts have the state `draft`.
         *
         *     Scope: `billing:read`.
         */
        get: operations["getInvoices"];
        put?: never;
        /**
         * Create an invoice
         * @description Makes an order and its invoice, or with `draft` neither. Collected automatically, the default token is charged once; otherwise, and where that fails, the order is payable by link.
         *
         *     Scope: `billing:write`.
         */
        post: operations["postInvoices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/invoices/totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum invoices and credit notes
         * @description Sums the documents that a filter finds, by currency. Credit notes count negative, drafts not at all.
         *
         *     Scope: `billing:read`.
         */
        get: operations["getInvoicesTotals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/invoices/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview an invoice
         * @description Returns what the invoice would say if it were issued now. Nothing is stored, and no number is taken.
         *
         *     Scope: `billing:read`.
         */
        post: operations["postInvoicesPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/invoices/export.zip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a month's invoices and credit notes
         * @description A ZIP with a file for each document and `index.csv`, which has a row for each. It is sent while it is made.
         *
         *     Scope: `billing:read`.
         */
        get: operations["getInvoicesExportZip"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/invoices/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the documents and payments of a range of days for a bookkeeping program
         * @description DATEV: a Buchungsstapel (EXTF 700) of documents by issue date, and of payments and refunds by value date. Xero, QuickBooks: their import of sales invoices. The accounts are those of the billing settings. The same range gives the same bytes while nothing in it changes.
         *
         *     Scope: `billing:read`.
         */
        get: operations["getInvoicesExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/invoices/spreadsheet.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the invoices and credit notes of a range of days as a spreadsheet
         * @description For bookkeeping: those issued in a range of days, newest first. `rates` stands for two columns, net and tax, of each rate in the range. Amounts of credit notes are negative.
         *
         *     Scope: `billing:read`.
         */
        get: operations["getInvoicesSpreadsheetCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an invoice or a credit note
         * @description Scope: `billing:read`.
         */
        get: operations["getInvoicesById"];
        /**
         * Replace a draft
         * @description The body replaces all that the draft says.
         *
         *     Scope: `billing:write`.
         */
        put: operations["putInvoicesById"];
        post?: never;
        /**
         * Remove a draft
         * @description Returns the draft as it was.
         *
         *     Scope: `billing:write`.
         */
        delete: operations["deleteInvoicesById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/invoices/{id}/issue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue a draft
         * @description Gives the draft its number, and makes its order. The date and the rates are those of now. Collected automatically, the default token is charged once.
         *
         *     Scope: `billing:write`.
         */
        post: operations["postInvoicesByIdIssue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/invoices/{id}/reissue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Correct an invoice
         * @description Credits the whole invoice and issues it again on the same order, with the details of the seller and of the customer as they are now. Returns the note and the new invoice. Payments stay with the order.
         *
         *     Scope: `billing:write`.
         */
        post: operations["postInvoicesByIdReissue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/invoices/{id}/reissue/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the correction of an invoice
         * @description Returns the credit note and the new invoice as they would be issued now, and stores nothing.
         *
         *     Scope: `billing:read`.
         */
        post: operations["postInvoicesByIdReissuePreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/invoices/{id}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an invoice or a credit note
         * @description A PDF, or an electronic invoice by EN 16931: UBL 2.1, CII D16B, or Factur-X, which is a PDF with the CII in it. UBL and CII are `application/xml`.
         *
         *     Scope: `billing:read`.
         */
        get: operations["getInvoicesByIdDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/invoices/{id}/credit_notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue a credit note
         * @description Lowers what is due of the invoice first. What is not due any more is refunded, credited to the plan, or left.
         *
         *     Scope: `billing:write`. With `refund: payment` also `payments:write`.
         */
        post: operations["postInvoicesByIdCreditNotes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/report/api/v1/openapi/invoices/taxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the taxes of the documents of a range of days
         * @description What a tax return asks for. By date of issue; the sums are those of the documents' `taxes`, to the cent.
         *
         *     Scope: `reports:read`.
         */
        get: operations["getInvoicesTaxes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/report/api/v1/openapi/invoices/taxes/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the lines of documents that the taxes are made of
         * @description A row for each line and tax, newest documents first. They sum to the report.
         *
         *     Scope: `reports:read`.
         */
        get: operations["getInvoicesTaxesRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/report/api/v1/openapi/invoices/buyers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what each buyer was invoiced in a range of days
         * @description By treatment. The rows of `reverse_charge` are an EC sales list.
         *
         *     Scope: `reports:read`.
         */
        get: operations["getInvoicesBuyers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/report/api/v1/openapi/invoices/buyers/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the lines of documents that the sums of buyers are made of
         * @description A row for each line, newest documents first. They sum to the report.
         *
         *     Scope: `reports:read`.
         */
        get: operations["getInvoicesBuyersRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/report/api/v1/openapi/invoices/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the invoices of which something was due at the end of a day
         * @description Payments count on their date and credit notes on their date of issue. Open invoices come first.
         *
         *     Scope: `reports:read`.
         */
        get: operations["getInvoicesOpen"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/report/api/v1/openapi/invoices/open/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the documents and payments that open items are made of
         * @description What each adds to what is due; they sum to it.
         *
         *     Scope: `reports:read`.
         */
        get: operations["getInvoicesOpenRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/report/api/v1/openapi/invoices/open/ages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the open items of a day summed by age
         * @description Scope: `reports:read`.
         */
        get: operations["getInvoicesOpenAges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/bank_statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bank statements
         * @description Scope: `billing:read`.
         */
        get: operations["getBankStatements"];
        put?: never;
        /**
         * Import a bank statement
         * @description Books the transfers that name open invoices. Entries that an earlier statement had are left out, so statements may overlap and be sent again. `data.line` of a refusal names the line.
         *
         *     Scope: `billing:write`.
         */
        post: operations["postBankStatements"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/bank_statements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bank statement
         * @description Scope: `billing:read`.
         */
        get: operations["getBankStatementsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/bank_entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bank entries
         * @description Scope: `billing:read`.
         */
        get: operations["getBankEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/bank_entries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bank entry
         * @description Scope: `billing:read`.
         */
        get: operations["getBankEntriesById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/bank_entries/{id}/match": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Match a bank entry with invoices
         * @description Each invoice is paid by the amount, be it less or more than is due.
         *
         *     Scope: `billing:write`.
         */
        post: operations["postBankEntriesByIdMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/bank_entries/{id}/unmatch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo the match of a bank entry
         * @description Its transactions are voided, and its invoices are open again. An ignored entry is unmatched again.
         *
         *     Scope: `billing:write`.
         */
        post: operations["postBankEntriesByIdUnmatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/bank_entries/{id}/ignore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ignore a bank entry
         * @description Scope: `billing:write`.
         */
        post: operations["postBankEntriesByIdIgnore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/invoices/{id}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record a payment of an invoice by hand
         * @description Cash, cheques and transfers that no bank statement brings. The payment counts at once and cannot be voided or refunded; it can be undone, and money that was given back is recorded as a repayment.
         *
         *     Scope: `billing:write`.
         */
        post: operations["postInvoicesByIdPayments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/transactions/{uuid}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a payment or a repayment by hand
         * @description It was a mistake: the transaction is voided and no longer counts.
         *
         *     Scope: `billing:write`.
         */
        post: operations["postTransactionsByUuidUndo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/orders/{number}/repayments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record money that was given back
         * @description A successful refund of each transfer and payment by hand that the amount takes, newest first. Issues no credit note.
         *
         *     Scope: `billing:write`.
         */
        post: operations["postOrdersByNumberRepayments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/orders/{number}/overpayment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move an overpayment to a plan's credit
         * @description All that is over-paid becomes credit of a plan of the same customer and currency.
         *
         *     Scope: `billing:write`.
         */
        post: operations["postOrdersByNumberOverpayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/invoices/{id}/write_off": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write off what is due of an invoice
         * @description Gives it up without a credit note, so the tax stays.
         *
         *     Scope: `billing:write`.
         */
        post: operations["postInvoicesByIdWriteOff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List recurring items
         * @description Scope: `recurring:read`.
         */
        get: operations["getRecurringPaymentsItems"];
        put?: never;
        /**
         * Create a recurring item
         * @description Scope: `recurring:write`.
         */
        post: operations["postRecurringPaymentsItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/billing_configs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List billing configs
         * @description Scope: `recurring:read`.
         */
        get: operations["getRecurringPaymentsBillingConfigs"];
        put?: never;
        /**
         * Create a billing config
         * @description Scope: `recurring:write`.
         */
        post: operations["postRecurringPaymentsBillingConfigs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plans
         * @description Scope: `recurring:read`.
         */
        get: operations["getRecurringPaymentsPlan"];
        put?: never;
        /**
         * Create a plan
         * @description Cycles follow each other. A second plan with the same `reference_number` is not created: the response is the existing plan with the message `plan has been created`.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postRecurringPaymentsPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/plan/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a plan
         * @description Scope: `recurring:read`.
         */
        get: operations["getRecurringPaymentsPlanById"];
        /**
         * Edit a plan
         * @description Scope: `recurring:write`.
         */
        put: operations["putRecurringPaymentsPlanById"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/plan/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the coming orders of a plan
         * @description Nothing is stored.
         *
         *     Scope: `recurring:read`.
         */
        post: operations["postRecurringPaymentsPlanPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an order under a plan
         * @description Scope: `recurring:read`.
         */
        post: operations["postRecurringPaymentsOrders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/plan/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a plan
         * @description The plan makes no orders and no attempts until it is resumed, by somebody or at `until`.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postRecurringPaymentsPlanByIdPause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/plan/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused plan
         * @description Makes one attempt for each order whose attempts are overdue. The billing dates stay.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postRecurringPaymentsPlanByIdResume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/plan/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry the open orders of a plan now
         * @description The next attempt of an open order is made at once, and counts as the attempt that was scheduled. Its outcome comes with the events of the order.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postRecurringPaymentsPlanByIdRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/plan/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a plan
         * @description Cancels at once, or at the end of the period. Open orders can be paid until their grace ends.
         *
         *     Scope: `recurring:write`. With `unused: refund` also `payments:write`.
         */
        post: operations["postRecurringPaymentsPlanByIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/plan/{id}/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change a plan
         * @description Changes items, quantities or the rhythm, at once or at the end of the period. The difference is billed to the day.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postRecurringPaymentsPlanByIdChange"];
        /**
         * Remove a scheduled change
         * @description Scope: `recurring:write`.
         */
        delete: operations["deleteRecurringPaymentsPlanByIdChange"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/plan/{id}/change/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a change of a plan
         * @description The lines and the total of the change, and the next three orders after it. Nothing is stored.
         *
         *     Scope: `recurring:read`.
         */
        post: operations["postRecurringPaymentsPlanByIdChangePreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/plan/{id}/credit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add credit to a plan
         * @description The next orders use up the credit.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postRecurringPaymentsPlanByIdCredit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/plan/{id}/uncancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back the cancellation of a plan
         * @description Removes `cancel_at`, so that the plan goes on.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postRecurringPaymentsPlanByIdUncancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/plan/{id}/trial": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the end of a trial
         * @description An end that is not after now ends the trial at once. A cancellation at its end moves with it.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postRecurringPaymentsPlanByIdTrial"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/plan/{id}/reactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reactivate a plan that has ended
         * @description A canceled or written-off plan goes on with its last items, discount and what is left of its count.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postRecurringPaymentsPlanByIdReactivate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List products
         * @description Scope: `recurring:read`.
         */
        get: operations["getProducts"];
        put?: never;
        /**
         * Create a product
         * @description Scope: `recurring:write`.
         */
        post: operations["postProducts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a product
         * @description Scope: `recurring:read`.
         */
        get: operations["getProductsById"];
        /**
         * Edit a product
         * @description Members that are left out stay. Prices keep the labels that they were made with.
         *
         *     Scope: `recurring:write`.
         */
        put: operations["putProductsById"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/products/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a product
         * @description New plans and changes cannot take its prices. Plans that have them go on.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postProductsByIdArchive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List prices
         * @description Recurring items that were made without a product are prices, too.
         *
         *     Scope: `recurring:read`.
         */
        get: operations["getPrices"];
        put?: never;
        /**
         * Create a price
         * @description Its id goes wherever a `recurring_item_id` does.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postPrices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/prices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a price
         * @description Scope: `recurring:read`.
         */
        get: operations["getPricesById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/prices/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the next version of a price
         * @description Members that are left out are those of the price. Plans that have the price keep it; nobody else can take it any more.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postPricesByIdVersions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/coupons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List coupons
         * @description Scope: `recurring:read`.
         */
        get: operations["getCoupons"];
        put?: never;
        /**
         * Create a coupon
         * @description Scope: `recurring:write`.
         */
        post: operations["postCoupons"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/coupons/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a coupon
         * @description Scope: `recurring:read`.
         */
        get: operations["getCouponsById"];
        /**
         * Edit a coupon
         * @description Members that are left out stay. Plans that have the coupon keep it.
         *
         *     Scope: `recurring:write`.
         */
        put: operations["putCouponsById"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/promotion_codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List promotion codes
         * @description Scope: `recurring:read`.
         */
        get: operations["getPromotionCodes"];
        put?: never;
        /**
         * Create a promotion code
         * @description It goes wherever the id of its coupon does.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postPromotionCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/promotion_codes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a promotion code
         * @description Scope: `recurring:read`.
         */
        get: operations["getPromotionCodesById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/plan/{id}/coupons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attach a coupon to a plan
         * @description It lowers the orders from now on, after the coupons that the plan has.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postRecurringPaymentsPlanByIdCoupons"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/plan/{id}/coupons/{coupon_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Detach a coupon from a plan
         * @description Its redemption stays counted.
         *
         *     Scope: `recurring:write`.
         */
        delete: operations["deleteRecurringPaymentsPlanByIdCouponsByCouponId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/dunning_policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dunning policies
         * @description Scope: `recurring:read`.
         */
        get: operations["getDunningPolicies"];
        put?: never;
        /**
         * Create a dunning policy
         * @description When unpaid orders of the plans that have it are attempted again.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postDunningPolicies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/dunning_policies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a dunning policy
         * @description Scope: `recurring:read`.
         */
        get: operations["getDunningPoliciesById"];
        /**
         * Edit a dunning policy
         * @description Members that are left out stay. Times that were set for attempts stay, too; the steps count from the next failed attempt on.
         *
         *     Scope: `recurring:write`.
         */
        put: operations["putDunningPoliciesById"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/message_settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the settings of messages
         * @description Scope: `billing:read`.
         */
        get: operations["getMessageSettings"];
        /**
         * Edit the settings of messages
         * @description Members that are left out stay. No kind is enabled by default.
         *
         *     Scope: `billing:write`.
         */
        put: operations["putMessageSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages
         * @description Scope: `billing:read`.
         */
        get: operations["getMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a message
         * @description Scope: `billing:read`.
         */
        get: operations["getMessagesById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/messages/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message again
         * @description Makes a new message to today's recipient. It obeys suppressions.
         *
         *     Scope: `billing:write`.
         */
        post: operations["postMessagesByIdResend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/messages/bounces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a bounce or a complaint
         * @description For services that send mails and report later what became of them.
         *
         *     Scope: `billing:write`.
         */
        post: operations["postMessagesBounces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/message_templates/{kind}/{language}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a template of messages
         * @description Scope: `billing:read`.
         */
        get: operations["getMessageTemplatesByKindByLanguage"];
        /**
         * Set a template of messages
         * @description Members that are left out stay; null brings the built-in text back.
         *
         *     Scope: `billing:write`.
         */
        put: operations["putMessageTemplatesByKindByLanguage"];
        post?: never;
        /**
         * Delete a template of messages
         * @description The built-in texts stand again.
         *
         *     Scope: `billing:write`.
         */
        delete: operations["deleteMessageTemplatesByKindByLanguage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/message_templates/{kind}/{language}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a template of messages
         * @description Renders example data with these texts and stores nothing.
         *
         *     Scope: `billing:read`.
         */
        post: operations["postMessageTemplatesByKindByLanguagePreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/message_templates/{kind}/{language}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test of a message to oneself
         * @description Mails example data with these texts to the user who is signed in. An API key gets 409.
         *
         *     Scope: `billing:write`.
         */
        post: operations["postMessageTemplatesByKindByLanguageTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suppressed addresses
         * @description Scope: `billing:read`.
         */
        get: operations["getSuppressions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/suppressions/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End the suppression of an address
         * @description Scope: `billing:write`.
         */
        delete: operations["deleteSuppressionsByAddress"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/ts/api/v1/openapi/cards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List cards
         * @description Scope: `cards:read`.
         */
        get: operations["getCards"];
        put?: never;
        /**
         * Issue a card into the business's pool
         * @description The card is `Inactive` until it is linked. It has only the limits that the request names. If another card has the `reference_id`, the response is 409 with that card.
         *
         *     Scope: `cards:write`.
         */
        post: operations["postCards"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/ts/api/v1/openapi/cards/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link a card
         * @description Links a card of the pool to a user. If the app registered an encryption key, `pan` is a JWE of the full number.
         *
         *     Scope: `cards:write`.
         */
        post: operations["postCardsLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/ts/api/v1/openapi/cards/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a card
         * @description Scope: `cards:read`.
         */
        get: operations["getCardsById"];
        /**
         * Edit a card
         * @description A new time zone moves the limit windows, and their used amounts are computed again.
         *
         *     Scope: `cards:write`.
         */
        put: operations["putCardsById"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/ts/api/v1/openapi/cards/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change a card's status
         * @description `Active`, `Locked` and `Suspended` can change to one another, and every status to `Terminated`, which is final.
         *
         *     Scope: `cards:write`.
         */
        post: operations["postCardsByIdStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/ts/api/v1/openapi/cards/{id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Edit a card's limits
         * @description All limits are edited, or none. Each edited limit writes one history entry.
         *
         *     Scope: `cards:write`.
         */
        put: operations["putCardsByIdLimits"];
        /**
         * Add a limit to a card
         * @description Scope: `cards:write`.
         */
        post: operations["postCardsByIdLimits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/ts/api/v1/openapi/cards/{id}/limit/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get card limit histories
         * @description Takes the id of a card or of a limit.
         *
         *     Scope: `cards:read`.
         */
        get: operations["getCardsByIdLimitHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/ts/api/v1/openapi/cards/{id}/authorizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a card's authorizations
         * @description Scope: `cards:read`.
         */
        get: operations["getCardsByIdAuthorizations"];
        put?: never;
        /**
         * Request an authorization
         * @description The authorization is approved and its amount held, or it is declined with the first reason; the status is 200 either way. A hold counts in the limit windows in which it was created, even if it is captured after they have reset.
         *
         *     Scope: `cards:write`.
         */
        post: operations["postCardsByIdAuthorizations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/ts/api/v1/openapi/cards/authorizations/{uuid}/capture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Capture an authorization
         * @description A capture above the hold, or after its expiry, is forced: no limit blocks it, and it counts in the windows of the capture.
         *
         *     Scope: `cards:write`.
         */
        post: operations["postCardsAuthorizationsByUuidCapture"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/ts/api/v1/openapi/cards/authorizations/{uuid}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund an authorization
         * @description Scope: `cards:write`.
         */
        post: operations["postCardsAuthorizationsByUuidRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/ts/api/v1/openapi/cards/authorizations/{uuid}/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reverse an authorization
         * @description Scope: `cards:write`.
         */
        post: operations["postCardsAuthorizationsByUuidReverse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/ts/api/v1/openapi/cards/decision_hook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the decision hook
         * @description Scope: `cards:read`.
         */
        get: operations["getCardsDecisionHook"];
        /**
         * Register the decision hook
         * @description The hook is called before an authorization is approved. It receives `{type, timestamp, authorization}`, signed as webhooks are, and responds with `{"approved": true}` or false within `timeout_ms`. If it does not, `on_silence` decides. The secret is shown when it is created; a later change keeps it.
         *
         *     Scope: `cards:write`.
         */
        put: operations["putCardsDecisionHook"];
        post?: never;
        /**
         * Remove the decision hook
         * @description Scope: `cards:write`.
         */
        delete: operations["deleteCardsDecisionHook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/ts/api/v1/openapi/digital_wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List wallets with their balances
         * @description Scope: `wallets:read`.
         */
        get: operations["getDigitalWallets"];
        put?: never;
        /**
         * Create a user's wallet
         * @description A user has one wallet, with a deposit address on each chain. A repeated request returns the same wallet.
         *
         *     Scope: `wallets:write`.
         */
        post: operations["postDigitalWallets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/ts/api/v1/openapi/digital_wallets/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get wallet transactions
         * @description Scope: `wallets:read`.
         */
        get: operations["getDigitalWalletsTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/ts/api/v1/openapi/digital_wallets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a wallet with its balances
         * @description Scope: `wallets:read`.
         */
        get: operations["getDigitalWalletsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/ts/api/v1/openapi/digital_wallets/{id}/addresses/{blockchain}/qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the QR code of a deposit address
         * @description Scope: `wallets:read`.
         */
        get: operations["getDigitalWalletsByIdAddressesByBlockchainQr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi/digital_wallets/fee_rule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the top-up fee rule
         * @description A user's rule overrides the business's rule, which is returned when the user has none. `type=business` ignores `user_id`.
         *
         *     Scope: `wallets:read`.
         */
        get: operations["getDigitalWalletsFeeRule"];
        /**
         * Set the top-up fee rule of the business or of a user
         * @description Scope: `wallets:write`.
         */
        put: operations["putDigitalWalletsFeeRule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/sandbox/api/v1/openapi/deposits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a deposit to a wallet on the chain of the sandbox
         * @description Sends coins from an account of the development node that `CHAINS_FILE` marks with `sandbox: true`. The deposit is then read from the chain like any other. Every request sends once more.
         *
         *     Scope: `wallets:write`. Test environment only.
         */
        post: operations["postDeposits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/event/api/v1/openapi/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Scope: `webhooks:read`.
         */
        get: operations["getEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/event/api/v1/openapi/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event
         * @description Scope: `webhooks:read`.
         */
        get: operations["getEventsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/event/api/v1/openapi/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List endpoints
         * @description Scope: `webhooks:read`.
         */
        get: operations["getEndpoints"];
        put?: never;
        /**
         * Register an endpoint
         * @description Future events are posted to it, signed as Standard Webhooks specifies.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["postEndpoints"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/event/api/v1/openapi/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an endpoint
         * @description Scope: `webhooks:write`.
         */
        delete: operations["deleteEndpointsById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/event/api/v1/openapi/endpoints/{id}/rotate_secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an endpoint's secret
         * @description The previous secret also signs for 24 hours or until the next rotation.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["postEndpointsByIdRotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/event/api/v1/openapi/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Scope: `webhooks:read`.
         */
        get: operations["getDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/event/api/v1/openapi/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver
         * @description Sends an exhausted or delivered event again. A delivery that waits for a retry is attempted now.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["postDeliveriesByIdRedeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/log/api/v1/openapi/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API requests
         * @description A request appears within a second of its reply.
         *
         *     Scope: `logs:read`.
         */
        get: operations["getRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/log/api/v1/openapi/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API request with its bodies
         * @description The newest, where several requests have the same id.
         *
         *     Scope: `logs:read`.
         */
        get: operations["getRequestsByRequestId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/log/api/v1/openapi/audit_entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit entries
         * @description One entry for each action. The export has every entry of the chain.
         *
         *     Scope: `logs:read`.
         */
        get: operations["getAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/log/api/v1/openapi/audit_entries/export.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit log as CSV with its hashes
         * @description `hash` is the SHA-256, in hex, of `previous_hash`, a line feed, `sequence`, a line feed and `document`, in UTF-8.
         *
         *     Scope: `logs:read`.
         */
        get: operations["getAuditEntriesExportCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/search/api/v1/openapi/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search everything
         * @description Finds orders, transactions, customers, plans, cards, payment tokens, wallets, disputes and requests, as far as the key may read them. Names of customers and plans and titles of cards are found by any word, also with a typing error.
         *
         *     Scope: `search:read`.
         */
        get: operations["getSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/orders/{number}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an order's timeline
         * @description What happened to the order, and what happens next and why.
         *
         *     Scope: `payments:read`.
         */
        get: operations["getOrdersByNumberTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/plan/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a plan's timeline
         * @description What happened to the plan and its orders, and what happens next and why.
         *
         *     Scope: `recurring:read`.
         */
        get: operations["getRecurringPaymentsPlanByIdTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/customers/{uuid}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer's timeline
         * @description What happened to the orders, plans, documents, messages and payment tokens of the customer, as far as the caller may read them, with the notes.
         *
         *     Scope: `customers:read`.
         */
        get: operations["getCustomersByUuidTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/bulk_actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bulk actions on orders and transactions
         * @description Scope: `payments:read`.
         */
        get: operations["getBulkActions"];
        put?: never;
        /**
         * Act on many orders and transactions
         * @description Select up to 10,000 objects by `ids`, or any number by `filter`. The work goes on in the background, each object once, also after a crash.
         *
         *     Scope: `payments:write`.
         */
        post: operations["postBulkActions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/bulk_actions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bulk action on orders and transactions
         * @description Scope: `payments:read`.
         */
        get: operations["getBulkActionsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/bulk_actions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a bulk action on orders and transactions
         * @description Objects that are under way are finished, and nothing that was done is undone.
         *
         *     Scope: `payments:write`.
         */
        post: operations["postBulkActionsByIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/bulk_actions/{id}/take_over": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take over a stopped bulk action on orders and transactions
         * @description Does the rest of the objects, each once, as the caller of this request.
         *
         *     Scope: `payments:write`.
         */
        post: operations["postBulkActionsByIdTakeOver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/bulk_actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bulk actions on plans
         * @description Scope: `recurring:read`.
         */
        get: operations["getRecurringPaymentsBulkActions"];
        put?: never;
        /**
         * Act on many plans
         * @description Select up to 10,000 objects by `ids`, or any number by `filter`. The work goes on in the background, each object once, also after a crash.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postRecurringPaymentsBulkActions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/bulk_actions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bulk action on plans
         * @description Scope: `recurring:read`.
         */
        get: operations["getRecurringPaymentsBulkActionsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/bulk_actions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a bulk action on plans
         * @description Objects that are under way are finished, and nothing that was done is undone.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postRecurringPaymentsBulkActionsByIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/payment/api/v1/openapi/recurring_payments/bulk_actions/{id}/take_over": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take over a stopped bulk action on plans
         * @description Does the rest of the objects, each once, as the caller of this request.
         *
         *     Scope: `recurring:write`.
         */
        post: operations["postRecurringPaymentsBulkActionsByIdTakeOver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/event/api/v1/openapi/bulk_actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bulk actions on deliveries
         * @description Scope: `webhooks:read`.
         */
        get: operations["getEventBulkActions"];
        put?: never;
        /**
         * Act on many deliveries
         * @description Select up to 10,000 objects by `ids`, or any number by `filter`. The work goes on in the background, each object once, also after a crash.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["postEventBulkActions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/event/api/v1/openapi/bulk_actions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bulk action on deliveries
         * @description Scope: `webhooks:read`.
         */
        get: operations["getEventBulkActionsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/event/api/v1/openapi/bulk_actions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a bulk action on deliveries
         * @description Objects that are under way are finished, and nothing that was done is undone.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["postEventBulkActionsByIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/event/api/v1/openapi/bulk_actions/{id}/take_over": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take over a stopped bulk action on deliveries
         * @description Does the rest of the objects, each once, as the caller of this request.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["postEventBulkActionsByIdTakeOver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/privacy/api/v1/openapi/customers/{uuid}/export.jsonl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the personal data of a customer
         * @description Everything that is kept of the customer: one JSON object a line, with `table` and `row`.
         *
         *     Scope: `privacy:read`.
         */
        get: operations["getCustomersByUuidExportJsonl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/privacy/api/v1/openapi/customers/{uuid}/erasure_check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether a customer can be erased
         * @description Changes nothing. Says what is kept of the customer and what is in the way of an erasure.
         *
         *     Scope: `privacy:read`.
         */
        get: operations["getCustomersByUuidErasureCheck"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/privacy/api/v1/openapi/customers/{uuid}/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase the personal data of a customer
         * @description Cannot be undone. Ids, amounts, dates and states stay, and so do the books. The work goes on in the background and ends about a minute later with `customer.erased`. 409 with the reasons while something is in the way.
         *
         *     Scope: `privacy:write`.
         */
        post: operations["postCustomersByUuidErasures"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/privacy/api/v1/openapi/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List erasures
         * @description Scope: `privacy:read`.
         */
        get: operations["getErasures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/privacy/api/v1/openapi/erasures/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an erasure
         * @description Scope: `privacy:read`.
         */
        get: operations["getErasuresById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/privacy/api/v1/openapi/customers/{uuid}/legal_hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Place a legal hold on a customer
         * @description The customer is not erased until the hold is lifted. A second call changes the reason.
         *
         *     Scope: `privacy:write`.
         */
        put: operations["putCustomersByUuidLegalHold"];
        post?: never;
        /**
         * Lift the legal hold on a customer
         * @description Scope: `privacy:write`.
         */
        delete: operations["deleteCustomersByUuidLegalHold"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/privacy/api/v1/openapi/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how long customers are kept
         * @description Scope: `privacy:read`.
         */
        get: operations["getRetention"];
        /**
         * Set how long customers are kept
         * @description Every day, customers who were not changed and had no order for so long are erased, unless something is in the way.
         *
         *     Scope: `privacy:write`.
         */
        put: operations["putRetention"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/report/api/v1/openapi/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the totals of the last days
         * @description Days are local days of the business. A change is counted about five seconds later.
         *
         *     Scope: `reports:read`.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/report/api/v1/openapi/totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the totals of a range of days
         * @description Sums of local days of the business for each currency, beside those of the days with which they are compared. A change is counted about five seconds later.
         *
         *     Scope: `reports:read`.
         */
        get: operations["getTotals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/report/api/v1/openapi/totals/spreadsheet.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the totals of each day of a range as a spreadsheet
         * @description Scope: `reports:read`.
         */
        get: operations["getTotalsSpreadsheetCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/report/api/v1/openapi/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what needs a person
         * @description Scope: `reports:read`.
         */
        get: operations["getAttention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the customer portal
         * @description Scope: `billing:read`.
         */
        get: operations["getPortal"];
        /**
         * Edit the customer portal
         * @description Says what customers may do for themselves, by default nothing. Members that are left out stay; `allow` is replaced as a whole.
         *
         *     Scope: `billing:write`.
         */
        put: operations["putPortal"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/billing/api/v1/openapi/portal/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open the customer portal for a customer
         * @description Send the customer to `url`, which opens once within 15 minutes, or call the portal yourself with `token` for 60 minutes. `send` also mails the link to the customer. Give either only to somebody who is signed in with you as this customer.
         *
         *     Scope: `customers:write`.
         */
        post: operations["postPortalSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what the portal begins with
         * @description The customer, the plans, and what the business lets customers do.
         *
         *     Scope: `portal:read`.
         */
        get: operations["getPortalOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the customer’s plans
         * @description Scope: `portal:read`.
         */
        get: operations["getPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/plans/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what metered prices of a plan have counted
         * @description Scope: `portal:usage:read`.
         */
        get: operations["getPlansByIdUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/plans/{id}/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change a plan
         * @description The business says which prices there are, when changes take effect, and how they are billed.
         *
         *     Scope: `portal:change:write`.
         */
        post: operations["postPlansByIdChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/plans/{id}/change/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a change of a plan
         * @description Nothing is stored.
         *
         *     Scope: `portal:change:read`.
         */
        post: operations["postPlansByIdChangePreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/plans/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a plan
         * @description Until `until`, or for as long as the business allows.
         *
         *     Scope: `portal:pause:write`.
         */
        post: operations["postPlansByIdPause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/plans/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused plan
         * @description Scope: `portal:pause:write`.
         */
        post: operations["postPlansByIdResume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/plans/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a plan
         * @description At the end of the period, within the terms of the plan.
         *
         *     Scope: `portal:cancel:write`.
         */
        post: operations["postPlansByIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/plans/{id}/uncancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back the cancellation of a plan
         * @description Scope: `portal:cancel:write`.
         */
        post: operations["postPlansByIdUncancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/plans/{id}/accept_offer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stay with a plan for the coupon that is offered
         * @description Attaches the coupon, once a plan, and takes the cancellation back.
         *
         *     Scope: `portal:cancel:write`.
         */
        post: operations["postPlansByIdAcceptOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/plans/{id}/reactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Come back to a plan that has ended
         * @description The first period begins now. A wrong `expected_total` is refused with the total of its order.
         *
         *     Scope: `portal:reactivate:write`.
         */
        post: operations["postPlansByIdReactivate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the customer’s invoices and credit notes
         * @description Scope: `portal:invoices:read`.
         */
        get: operations["getPortalInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/invoices/{id}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an invoice or a credit note
         * @description Scope: `portal:invoices:read`.
         */
        get: operations["getPortalInvoicesByIdDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/invoices/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay what is open of an invoice
         * @description Scope: `portal:invoices:write`.
         */
        post: operations["postInvoicesByIdPay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/payment_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the customer’s cards and wallets
         * @description Scope: `portal:payment_methods:read`.
         */
        get: operations["getPaymentTokens"];
        put?: never;
        /**
         * Add a card or a wallet
         * @description A token that is `pending` waits until the customer confirms it at `verify_url`.
         *
         *     Scope: `portal:payment_methods:write`.
         */
        post: operations["postPaymentTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/payment_tokens/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a card or a wallet
         * @description Scope: `portal:payment_methods:write`.
         */
        delete: operations["deletePaymentTokensByToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/payment_tokens/{token}/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose the card or wallet that plans are charged to
         * @description Scope: `portal:payment_methods:write`.
         */
        post: operations["postPaymentTokensByTokenDefault"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/portal/api/v1/openapi/billing_details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the customer’s billing details
         * @description Scope: `portal:billing_details:read`.
         */
        get: operations["getBillingDetails"];
        /**
         * Edit the customer’s billing details
         * @description Members that are left out stay, and null removes one.
         *
         *     Scope: `portal:billing_details:write`.
         */
        put: operations["putBillingDetails"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/sandbox/api/v1/openapi/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the time of the test environment
         * @description Scope: `admin:read`. Test environment only.
         */
        get: operations["getClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/sandbox/api/v1/openapi/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance the clock and run everything that becomes due on the way
         * @description Responds once everything that was due has happened, each at its own time. The advance continues if the caller disconnects; until it is done, a second advance gets 409. Send either `to` or `by`: at most 10 years ahead, never back. All other requests work while the clock moves.
         *
         *     Scope: `admin:write`. Test environment only.
         */
        post: operations["postClockAdvance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/sandbox/api/v1/openapi/clock/due": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the kinds of work that become due until a time
         * @description Says for each kind when its first work is due, earliest first. Nothing is done.
         *
         *     Scope: `admin:read`. Test environment only.
         */
        get: operations["getClockDue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/svc/sandbox/api/v1/openapi/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the faults of the acquirer simulator
         * @description Scope: `admin:read`. Test environment only.
         */
        get: operations["getFaults"];
        /**
         * Set the faults of the acquirer simulator
         * @description Replaces all faults of this test environment; others are not affected. They last until they are set to 0 or the simulator ends.
         *
         *     Scope: `admin:write`. Test environment only.
         */
        put: operations["putFaults"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "order.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** order.created */
        post: operations["onOrderCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** order.updated */
        post: operations["onOrderUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** order.paid */
        post: operations["onOrderPaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.voided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** order.voided */
        post: operations["onOrderVoided"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** order.expired */
        post: operations["onOrderExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** order.refunded */
        post: operations["onOrderRefunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** transaction.succeeded */
        post: operations["onTransactionSucceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** transaction.failed */
        post: operations["onTransactionFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** transaction.pending */
        post: operations["onTransactionPending"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.voided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** transaction.voided */
        post: operations["onTransactionVoided"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.resolved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** transaction.resolved */
        post: operations["onTransactionResolved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** dispute.opened */
        post: operations["onDisputeOpened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** dispute.updated */
        post: operations["onDisputeUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.won": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** dispute.won */
        post: operations["onDisputeWon"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.lost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** dispute.lost */
        post: operations["onDisputeLost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** dispute.closed */
        post: operations["onDisputeClosed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.evidence_submitted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** dispute.evidence_submitted */
        post: operations["onDisputeEvidenceSubmitted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.issued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.issued */
        post: operations["onInvoiceIssued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.paid */
        post: operations["onInvoicePaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.credited": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.credited */
        post: operations["onInvoiceCredited"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.overdue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.overdue */
        post: operations["onInvoiceOverdue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.uncollectible": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.uncollectible */
        post: operations["onInvoiceUncollectible"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credit_note.issued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** credit_note.issued */
        post: operations["onCreditNoteIssued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bank_entry.matched": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** bank_entry.matched */
        post: operations["onBankEntryMatched"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bank_entry.unmatched": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** bank_entry.unmatched */
        post: operations["onBankEntryUnmatched"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "plan.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** plan.created */
        post: operations["onPlanCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "plan.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** plan.updated */
        post: operations["onPlanUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "plan.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** plan.paused */
        post: operations["onPlanPaused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "plan.resumed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** plan.resumed */
        post: operations["onPlanResumed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "plan.canceled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** plan.canceled */
        post: operations["onPlanCanceled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "plan.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** plan.changed */
        post: operations["onPlanChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "plan.change_scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** plan.change_scheduled */
        post: operations["onPlanChangeScheduled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "plan.change_removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** plan.change_removed */
        post: operations["onPlanChangeRemoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "plan.trial_will_end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** plan.trial_will_end */
        post: operations["onPlanTrialWillEnd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "plan.trial_ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** plan.trial_ended */
        post: operations["onPlanTrialEnded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "plan.reactivated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** plan.reactivated */
        post: operations["onPlanReactivated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "plan.coupon_attached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** plan.coupon_attached */
        post: operations["onPlanCouponAttached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "plan.coupon_detached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** plan.coupon_detached */
        post: operations["onPlanCouponDetached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "cycle.activated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** cycle.activated */
        post: operations["onCycleActivated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "cycle.past_due": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** cycle.past_due */
        post: operations["onCyclePastDue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "cycle.uncollectible": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** cycle.uncollectible */
        post: operations["onCycleUncollectible"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "cycle.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** cycle.completed */
        post: operations["onCycleCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** product.created */
        post: operations["onProductCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** product.updated */
        post: operations["onProductUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product.archived": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** product.archived */
        post: operations["onProductArchived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "price.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** price.created */
        post: operations["onPriceCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "price.superseded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** price.superseded */
        post: operations["onPriceSuperseded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dunning_policy.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** dunning_policy.created */
        post: operations["onDunningPolicyCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dunning_policy.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** dunning_policy.updated */
        post: operations["onDunningPolicyUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "coupon.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** coupon.created */
        post: operations["onCouponCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "coupon.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** coupon.updated */
        post: operations["onCouponUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.erased": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** customer.erased */
        post: operations["onCustomerErased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_token.active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** payment_token.active */
        post: operations["onPaymentTokenActive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_token.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** payment_token.failed */
        post: operations["onPaymentTokenFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_token.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** payment_token.expiring */
        post: operations["onPaymentTokenExpiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_token.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** payment_token.deleted */
        post: operations["onPaymentTokenDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "tax_rate.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** tax_rate.created */
        post: operations["onTaxRateCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** message.sent */
        post: operations["onMessageSent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** message.failed */
        post: operations["onMessageFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.bounced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** message.bounced */
        post: operations["onMessageBounced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.complained": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** message.complained */
        post: operations["onMessageComplained"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "card.linked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** card.linked */
        post: operations["onCardLinked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "card.status_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** card.status_changed */
        post: operations["onCardStatusChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "card.limit_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** card.limit_changed */
        post: operations["onCardLimitChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "card.authorization.approved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** card.authorization.approved */
        post: operations["onCardAuthorizationApproved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "card.authorization.declined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** card.authorization.declined */
        post: operations["onCardAuthorizationDeclined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet.transaction.pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** wallet.transaction.pending */
        post: operations["onWalletTransactionPending"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet.transaction.confirmed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** wallet.transaction.confirmed */
        post: operations["onWalletTransactionConfirmed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet.transaction.reorged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** wallet.transaction.reorged */
        post: operations["onWalletTransactionReorged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Error: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
            };
        };
        ErrorDetail: {
            /** @enum {string} */
            type: "invalid_request" | "authentication_failed" | "permission_denied" | "not_found" | "conflict" | "rate_limited" | "service_error" | "payment_declined" | "acquirer_error";
            /** @enum {string} */
            reason: "malformed_json" | "body_invalid" | "unknown_member" | "missing_member" | "invalid_member" | "unknown_query_name" | "missing_query_name" | "invalid_query_value" | "invalid_path" | "missing_header" | "invalid_header" | "malformed_request" | "offset_too_deep" | "invalid_cursor" | "invalid_filter" | "duplicate_member" | "unauthenticated" | "scope_missing" | "app_mismatch" | "business_mismatch" | "test_environment_only" | "route_not_found" | "request_timeout" | "reference_id_taken" | "idempotency_key_in_use" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "too_many_metadata_keys" | "invalid_date_range" | "rate_limited" | "headers_too_large" | "internal_error" | "search_too_slow" | "overloaded" | "unavailable" | "api_key_expired" | "signature_required" | "signature_invalid" | "signature_expired" | "signature_replayed" | "scope_not_own" | "api_key_not_found" | "app_missing" | "expires_in_invalid" | "too_many_api_keys" | "signing_key_not_found" | "encryption_key_not_found" | "time_zone_in_use" | "time_zone_unknown" | "business_name_missing" | "logo_invalid" | "public_key_not_supported" | "public_key_invalid" | "session_header_missing" | "password_length" | "sign_in_refused" | "session_ended" | "sign_in_failed" | "cross_site_request" | "not_a_member" | "role_not_allowed" | "account_disabled" | "operators_only" | "invitation_for_another" | "invitation_required" | "fresh_sign_in_required" | "member_not_found" | "invitation_not_found" | "one_time_link_not_found" | "session_not_found" | "trusted_device_not_found" | "last_owner" | "already_member" | "sign_in_first" | "business_not_valid" | "list_not_kept" | "too_many_attempts" | "notice_signature_invalid" | "notice_invalid" | "acquirer_account_not_found" | "simulator_page_not_found" | "acquirer_account_disabled" | "acquirer_account_changed" | "credentials_refused" | "api_base_not_allowed" | "acquirer_account_invalid" | "too_many_acquirer_accounts" | "acquirer_cannot_change" | "routing_invalid" | "acquirer_not_configured" | "acquirer_unreachable" | "acquirer_token_taken" | "acquirer_token_not_allowed" | "no_account_for_instrument" | "account_of_wallets_only" | "customer_not_found" | "note_not_found" | "payment_token_not_found" | "customer_exists" | "customer_erased" | "card_number_invalid" | "test_card_required" | "card_expired" | "card_expiry_invalid" | "credit_card_required" | "credit_card_not_allowed" | "billing_currency_unknown" | "too_many_payment_tokens" | "default_token_not_active" | "legal_entity_not_found" | "tax_rate_not_found" | "tax_engine_not_found" | "series_not_found" | "tax_rate_overlap" | "tax_rate_limit" | "tax_rate_adds_up" | "tax_rate_used" | "period_locked" | "exchange_rate_missing" | "owner_required" | "tax_rate_invalid" | "exchange_rate_invalid" | "csv_invalid" | "tax_engine_url_not_allowed" | "tax_id_invalid" | "tax_id_country_mismatch" | "invoicing_incomplete" | "number_format_invalid" | "bank_invalid" | "electronic_address_invalid" | "legal_entity_invalid" | "accounts_invalid" | "write_off_invalid" | "payment_declined" | "order_not_found" | "transaction_not_found" | "link_not_found" | "order_exists" | "order_not_payable" | "payment_in_progress" | "transaction_not_capturable" | "nothing_left_to_capture" | "transaction_not_refundable" | "nothing_left_to_refund" | "transaction_not_voidable" | "already_settled" | "order_not_voidable" | "amount_invalid" | "amount_too_large" | "totals_disagree" | "total_missing" | "currency_unknown" | "timeout_invalid" | "notify_url_not_allowed" | "one_of_order_and_transaction" | "order_or_transaction_missing" | "identifier_missing" | "payment_token_of_another_customer" | "payment_token_not_chargeable" | "payment_in_use" | "nothing_overpaid" | "refund_by_hand" | "outcome_not_open" | "outcome_still_inquired" | "no_account_for_payment" | "payment_instrument_missing" | "payment_token_or_method" | "needs_payment_method" | "sales_only" | "wallet_not_available" | "wallet_currency_not_supported" | "acquirer_refused" | "not_processed" | "outcome_unknown" | "dispute_not_found" | "dispute_not_open" | "dispute_deadline_passed" | "evidence_already_submitted" | "submission_in_progress" | "evidence_not_taken" | "evidence_too_large" | "evidence_missing" | "evidence_refused" | "submission_unknown" | "reconciliation_not_found" | "account_not_found" | "nothing_to_reconcile" | "invoice_not_found" | "invoice_line_not_found" | "nothing_left_to_credit" | "refund_not_possible" | "invoice_issued" | "invoice_not_issued" | "invoice_has_notes" | "reissue_raises_total" | "reissue_below_zero" | "einvoice_incomplete" | "accounts_missing" | "not_importable" | "credit_note_inconsistent" | "invoice_inconsistent" | "bank_statement_not_found" | "bank_entry_not_found" | "statement_invalid" | "value_date_invalid" | "plan_mismatch" | "not_by_hand" | "nothing_due" | "match_invalid" | "plan_not_found" | "recurring_item_not_found" | "billing_config_not_found" | "recurring_cycle_not_found" | "recurring_order_not_found" | "product_not_found" | "price_not_found" | "dunning_policy_not_found" | "coupon_not_found" | "promotion_code_not_found" | "coupon_expired" | "coupon_exhausted" | "coupon_attached" | "coupon_not_combinable" | "coupon_not_applicable" | "code_taken" | "product_archived" | "price_superseded" | "plan_not_pausable" | "plan_not_paused" | "plan_ended" | "plan_permanently_uncollectible" | "plan_not_changeable" | "change_pending" | "payment_action_required" | "no_payment_token" | "nothing_scheduled" | "total_changed" | "nothing_to_retry" | "no_trial" | "nothing_to_uncancel" | "plan_not_reactivatable" | "trial_invalid" | "terms_invalid" | "until_invalid" | "payment_token_missing" | "too_many_missed_periods" | "plan_currency_mixed" | "plan_currency_unknown" | "nothing_changes" | "proration_date_invalid" | "change_inconsistent" | "price_inconsistent" | "policy_inconsistent" | "tax_behavior_mixed" | "coupon_invalid" | "price_invalid" | "discount_invalid" | "recurrence_rule_unsupported" | "billing_config_inconsistent" | "start_date_invalid" | "billing_count_missing" | "plan_timeout_invalid" | "credit_invalid" | "billing_amount_too_large" | "callback_url_refused" | "message_not_found" | "message_template_not_found" | "suppression_not_found" | "message_erased" | "recipient_missing" | "no_address_of_caller" | "mail_server_missing" | "placeholder_unknown" | "bounce_invalid" | "card_not_found" | "card_limit_not_found" | "authorization_not_found" | "decision_hook_not_found" | "funding_wallet_not_found" | "card_exists" | "card_linked_to_another_user" | "card_not_linkable" | "card_status_conflict" | "card_limit_exists" | "authorization_undecided" | "authorization_state_conflict" | "nothing_to_capture" | "nothing_to_refund" | "nothing_to_reverse" | "card_amount_invalid" | "card_limit_too_high" | "card_limit_period_differs" | "card_period_named_twice" | "card_currency_unknown" | "card_time_zone_unknown" | "card_refund_too_large" | "reversal_too_large" | "card_funding_not_available" | "hook_url_not_allowed" | "time_range_reversed" | "wallet_not_found" | "blockchain_not_found" | "sandbox_chain_required" | "sandbox_chain_failed" | "deposit_invalid" | "fee_invalid" | "user_id_not_allowed" | "endpoint_not_found" | "delivery_not_found" | "event_not_found" | "endpoint_not_active" | "endpoint_exists" | "url_not_allowed" | "too_many_endpoints" | "request_not_found" | "bulk_action_not_found" | "bulk_action_ended" | "bulk_action_not_stopped" | "bulk_selection_invalid" | "bulk_options_invalid" | "erasure_not_found" | "legal_hold_not_found" | "erasure_refused" | "hold_too_late" | "page_not_found" | "link_expired" | "order_closed" | "portal_session_ended" | "portal_not_allowed" | "portal_page_not_found" | "offer_spent" | "token_in_use" | "portal_link_used" | "portal_invalid" | "cancel_reason_unknown" | "expected_total_invalid" | "clock_advancing" | "clock_cannot_go_back" | "advance_too_far" | "advance_ambiguous";
            /** @description The wrong member, query parameter or header, as a path: `order.line_items[2].price`. */
            param?: string;
            decline_code?: string;
            recommended_action?: string;
            request_id: string;
        };
        CustomerExists: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                customer?: {
                    uuid: string;
                    reference_number: string;
                };
            };
        };
        LegalEntityExists: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                legal_entity?: {
                    id: string;
                };
            };
        };
        TaxRateRefused: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                tax_rate?: {
                    id: string;
                };
                country?: string;
                region?: string | null;
                category?: string | null;
                /** @description The valid ones, to which the new one would be added. */
                rates?: {
                    id: string;
                    name: string;
                    /** Format: decimal */
                    percentage: Decimal;
                    valid_from: string;
                    valid_until: string | null;
                }[];
                /**
                 * Format: decimal
                 * @description Of all percentages, the new one included.
                 */
                sum?: Decimal;
                /** @description The first day on which too many hold. */
                date?: string;
            };
        };
        TaxRatesRefused: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                /** @description The first lines that are wrong, with `csv_invalid`. */
                lines?: {
                    /** @description Counted from 1. */
                    line: number;
                    reason: string;
                }[];
            };
        };
        OrderExists: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                order?: {
                    number: string;
                    reference_number: string;
                };
            };
        };
        OrderVoidFailed: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                order: components["schemas"]["Order"];
            };
        };
        OrderVoidRefused: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                order?: components["schemas"]["Order"];
            };
        };
        TransactionFailed: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                order: components["schemas"]["Order"];
                transaction: components["schemas"]["Transaction"];
            };
        };
        ReferenceIdTaken: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                transaction?: {
                    uuid: string;
                };
            };
        };
        TransactionUnknown: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                order?: components["schemas"]["Order"];
                transaction?: components["schemas"]["Transaction"];
            };
        };
        EvidenceRefused: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                dispute: components["schemas"]["Dispute"];
            };
        };
        SubmissionUnknown: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                dispute?: components["schemas"]["Dispute"];
            };
        };
        InvoiceRefused: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                invoice?: {
                    id: string;
                };
                /** @description The rates that are missing, in one direction or the other. */
                exchange_rates?: {
                    /** Format: date */
                    date: string;
                    base: string;
                    quote: string;
                }[];
            };
        };
        ExportRefused: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                accounts?: {
                    /**
                     * @description `datev`: the settings of DATEV. `currency`: that of the legal entity, for amounts with more than the two decimals that DATEV has.
                     * @enum {string}
                     */
                    kind: "receivables" | "bank" | "cash" | "fees" | "revenue" | "tax" | "datev" | "currency";
                    /** Format: decimal */
                    percentage?: Decimal;
                    /** @enum {string} */
                    treatment?: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
                }[];
                /** @description The rates that are missing, in one direction or the other. */
                exchange_rates?: {
                    /** Format: date */
                    date: string;
                    base: string;
                    quote: string;
                }[];
            };
        };
        ExchangeRateMissing: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                /** @description The rates that are missing, in one direction or the other. */
                exchange_rates?: {
                    /** Format: date */
                    date: string;
                    base: string;
                    quote: string;
                }[];
            };
        };
        EinvoiceIncomplete: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                missing: string[];
            };
        };
        CreditNoteExists: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                credit_note?: {
                    id: string;
                };
            };
        };
        BankStatementExists: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                bank_statement?: {
                    id: string;
                };
            };
        };
        BankStatementRefused: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                /** @description Of `content`, counted from 1; with `statement_invalid`. */
                line?: number;
            };
        };
        OtherPrice: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                /** @description The price that has the `reference_id`, or that supersedes the one that was asked for. */
                price?: {
                    id: string;
                };
            };
        };
        ChangeUnpaid: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                verify_url?: string;
                order?: components["schemas"]["Order"];
                transaction?: components["schemas"]["Transaction"];
            };
        };
        ChangeRefused: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                /** @description The price that has the `reference_id`, or that supersedes the one that was asked for. */
                price?: {
                    id: string;
                };
                /**
                 * Format: decimal
                 * @description The total now, where `expected_total` is another.
                 */
                total?: Decimal;
            };
        };
        ProductExists: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                product?: {
                    id: string;
                };
            };
        };
        CouponExists: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                coupon?: {
                    id: string;
                };
            };
        };
        PromotionCodeExists: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                promotion_code?: {
                    id: string;
                };
            };
        };
        DunningPolicyExists: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                dunning_policy?: {
                    id: string;
                };
            };
        };
        PlaceholderUnknown: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                unknown?: string[];
                known?: string[];
            };
        };
        CardExists: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                card?: {
                    id: string;
                    reference_id: string;
                };
            };
        };
        EndpointExists: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                endpoint?: {
                    id: string;
                };
            };
        };
        ErasureRefused: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                blockers?: components["schemas"]["ErasureBlocker"][];
            };
        };
        PortalPaymentFailed: {
            /**
             * @description The HTTP status × 100, plus a stable number.
             * @example 40401
             */
            code: number;
            message: string;
            data: {
                error: components["schemas"]["ErrorDetail"];
                order?: components["schemas"]["PortalOrder"];
                transaction?: components["schemas"]["PortalTransaction"];
                next_action?: components["schemas"]["PortalNextAction"];
            };
        };
        Business: {
            /** @description The value of X-P-Customer-Code */
            code: string;
            /** @enum {string} */
            environment: "test" | "live";
            name: string;
            time_zone: string;
            currency: string;
        };
        NewApiKey: {
            name: string;
            /** @description Only scopes that you have yourself. */
            scopes: ("payments:read" | "payments:write" | "recurring:read" | "recurring:write" | "billing:read" | "billing:write" | "billing_details:read" | "billing_details:write" | "customers:read" | "customers:write" | "cards:read" | "cards:write" | "wallets:read" | "wallets:write" | "webhooks:read" | "webhooks:write" | "admin:read" | "admin:write" | "keys:read" | "keys:write" | "users:read" | "users:write" | "privacy:read" | "privacy:write" | "logs:read" | "reports:read" | "search:read")[];
            /** @description ISO 8601 duration, such as P90D. Without it the key never expires. */
            expires_in?: string;
        };
        ApiKey: {
            id: string;
            app_id: string;
            name: string | null;
            scopes: string[];
            /** Format: date-time */
            created_at: string;
            expires_at: string | null;
            last_used_at: string | null;
            revoked_at: string | null;
        };
        Page: {
            offset: number;
            /** @description The requested limit, or the number of rows where large rows ended the page early. The next page starts at offset + limit. */
            limit: number;
            has_more: boolean;
            next_cursor: string | null;
        };
        PublicKey: {
            /** @description OKP, EC or RSA */
            kty: string;
            /** @description Ed25519 for signing; P-256, P-384, P-521 or X25519 for encryption */
            crv?: string;
            x?: string;
            y?: string;
            /** @description RSA modulus, 2048 to 8192 bits */
            n?: string;
            e?: string;
            kid?: string;
            alg?: string;
            use?: string;
            key_ops?: string[];
            ext?: boolean;
        };
        Branding: {
            display_name: string | null;
            logo: string | null;
            color: string | null;
            email: string | null;
            phone: string | null;
            website: string | null;
            terms_url: string | null;
            privacy_url: string | null;
            wallet_names: {
                wallet_a_pay: string | null;
                wallet_b: string | null;
            };
        };
        Member: {
            /** @description The id of the user. */
            id: string;
            name: string;
            email: string;
            test_role: ("owner" | "developer" | "finance" | "support" | "read_only") | null;
            live_role: ("owner" | "developer" | "finance" | "support" | "read_only") | null;
            two_factor_enabled: boolean;
            disabled_at: string | null;
            /**
             * Format: date-time
             * @description When the user became a member.
             */
            created_at: string;
        };
        Session: {
            id: string;
            ip_address: string | null;
            user_agent: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description To the day.
             */
            last_used_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        Invitation: {
            id: string;
            email: string;
            test_role: ("owner" | "developer" | "finance" | "support" | "read_only") | null;
            live_role: ("owner" | "developer" | "finance" | "support" | "read_only") | null;
            /** @description Whether the link was sent to the address. */
            mailed: boolean;
            /** @description The id of the user or of the API key. */
            invited_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            accepted_at: string | null;
        };
        AcquirerAccount: {
            id: string;
            /** @enum {string} */
            acquirer: "stripe" | "adyen" | "airwallex";
            name: string;
            /** @enum {string} */
            state: "active" | "disabled";
            /** @description Register this URL with the acquirer. */
            webhook_url: string;
            api_base: string;
            /** @description The acquirer's own id of the account. */
            merchant_id: string;
            statement_descriptor?: string;
            methods: ("credit_card" | "payment_token" | "wallet_a_pay" | "wallet_b" | "fps")[];
            /** @description Empty means all. */
            currencies: string[];
            raw_card_numbers: boolean;
            /** @description The wallets that pay as `wallet_a_pay` and `wallet_b`. */
            wallets?: {
                /** @enum {string} */
                wallet_a?: "wechat_pay";
                /** @enum {string} */
                wallet_b?: "alipay_hk" | "alipay";
            };
            apple_pay_domain_file?: string;
            apple_pay_domain?: {
                name: string | null;
                /**
                 * @description Whether the acquirer has registered the domain. Setting the file again asks again.
                 * @enum {string}
                 */
                state: "pending" | "registered" | "refused" | "unreachable" | "no_domain";
                /** @description Why it is not registered. */
                message?: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Routing: {
            rules: {
                when: {
                    currency?: string;
                    /** Format: decimal */
                    min_amount?: Decimal;
                    /** Format: decimal */
                    max_amount?: Decimal;
                    brand?: string;
                    country?: string;
                    /** @enum {string} */
                    payment_method?: "credit_card" | "payment_token" | "wallet_a_pay" | "wallet_b" | "fps";
                    /** @enum {string} */
                    source?: "recurring" | "one_off";
                };
                accounts: {
                    id: string;
                    weight: number;
                }[];
                /** @enum {string} */
                by?: "success_rate";
                fallback: string[];
            }[];
            updated_at: string | null;
        };
        CustomerMessagesEdit: {
            /** @description The kinds of messages that the customer does not get; replaces the list. */
            off: ("receipt" | "invoice" | "credit_note" | "payment_failed" | "payment_reminder" | "plan_canceled" | "trial_ending" | "renewal_ahead" | "portal_link" | "card_expiring" | "usage_alert" | "balance_low")[];
        };
        PaymentToken: {
            /** @enum {string} */
            token_type: "CreditCard" | "WalletAPayAutoDebit" | "WalletBAutoDebit";
            token: string;
            /** @enum {string} */
            state: "pending" | "active" | "failed" | "expired" | "deleted";
            default: boolean;
            verify_url: string | null;
            verify_uuid: string;
            error_code?: string;
            error_msg?: string;
            credit_card?: {
                /** @description Masked: 424242******4242. */
                number: string;
                exp_month: string;
                exp_year: string;
                holder_name: string;
                brand: string;
                billing_currency: string;
            };
            /** @description The real wallet of an agreement. */
            wallet?: {
                /** @enum {string} */
                name: "wechat_pay" | "alipay" | "alipay_hk";
                /** @description The payer's account there, masked. */
                account?: string;
            };
            /** @description The acquirer account that has the card or the agreement. */
            acquirer_account_id?: string;
            /** Format: date-time */
            created_at: string;
        };
        CustomerMessages: {
            off: ("receipt" | "invoice" | "credit_note" | "payment_failed" | "payment_reminder" | "plan_canceled" | "trial_ending" | "renewal_ahead" | "portal_link" | "card_expiring" | "usage_alert" | "balance_low")[];
        };
        Customer: {
            uuid: string;
            reference_number: string;
            name?: string;
            email?: string;
            dial_code: string;
            phone?: string;
            company_name?: string;
            /** @enum {string} */
            default_payment_method?: "Credit Card" | "WalletA Pay" | "WalletB";
            default_payment_token?: components["schemas"]["PaymentToken"];
            messages?: components["schemas"]["CustomerMessages"];
            metadata?: {
                [key: string]: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: date-time
             * @description When the erasure of the personal data began.
             */
            erased_at?: string;
        };
        CustomerSession: {
            /** @description Valid for 15 minutes */
            token: string;
            /** Format: date-time */
            expires_at: string;
        };
        NewCustomerNote: {
            text: string;
        };
        CustomerNote: {
            id: string;
            customer_uuid: string;
            text: string;
            /** @description The user or the API key that wrote it. */
            actor_id: string;
            actor_name: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /**
         * @description ISO 3166-1 alpha-2, as officially assigned.
         * @enum {string}
         */
        Country: "AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW";
        NewAddress: {
            line1: string;
            line2?: string | null;
            postal_code?: string | null;
            city: string;
            region?: string | null;
            country: components["schemas"]["Country"];
        };
        NewTaxRegistration: {
            country: components["schemas"]["Country"];
            region?: string | null;
            number?: string | null;
            from?: string | null;
            until?: string | null;
        };
        NewTaxId: {
            /**
             * @description Only `vat`, of the EU, XI and GB, has an effect on tax. The others are printed.
             * @enum {string}
             */
            type: "vat" | "hk_br" | "sg_uen" | "sg_gst" | "au_abn" | "nz_gst" | "ch_vat" | "no_vat" | "ca_bn" | "us_ein" | "in_gst" | "jp_rn" | "kr_brn" | "th_vat" | "ae_trn" | "za_vat";
            /** @description A VAT id with its prefix. Blanks, dots and hyphens are left out when it is stored. */
            value: string;
        };
        NewBankAccount: {
            iban?: string | null;
            bic?: string | null;
            account_number?: string | null;
            bank_code?: string | null;
            branch_code?: string | null;
            bank_name?: string | null;
            account_holder?: string | null;
            fps_id?: string | null;
        };
        /** @description Where electronic invoices arrive. */
        NewElectronicAddress: {
            /**
             * @description A code of the list EAS, such as 0204 or EM.
             * @enum {string}
             */
            scheme: "0002" | "0007" | "0009" | "0037" | "0060" | "0088" | "0096" | "0097" | "0106" | "0130" | "0135" | "0142" | "0147" | "0151" | "0154" | "0158" | "0170" | "0177" | "0183" | "0184" | "0188" | "0190" | "0191" | "0192" | "0193" | "0194" | "0195" | "0196" | "0198" | "0199" | "0200" | "0201" | "0202" | "0203" | "0204" | "0205" | "0208" | "0209" | "0210" | "0211" | "0212" | "0213" | "0215" | "0216" | "0217" | "0218" | "0219" | "0220" | "0221" | "0225" | "0230" | "0235" | "0240" | "0242" | "0244" | "0245" | "0246" | "0248" | "9910" | "9913" | "9914" | "9915" | "9918" | "9919" | "9920" | "9922" | "9923" | "9924" | "9925" | "9926" | "9927" | "9928" | "9929" | "9930" | "9931" | "9932" | "9933" | "9934" | "9935" | "9936" | "9937" | "9938" | "9939" | "9940" | "9941" | "9942" | "9943" | "9944" | "9945" | "9946" | "9947" | "9948" | "9949" | "9950" | "9951" | "9952" | "9953" | "9957" | "9959" | "AN" | "AQ" | "AS" | "AU" | "EM";
            value: string;
        };
        /** @description Whom buyers ask about invoices. */
        NewSellerContact: {
            name: string;
            phone: string;
            email: string;
        };
        NewNumberSeries: {
            key: string;
            /** @description `{SEQ:n}` once, of at least n digits, and any of `{YYYY}`, `{YY}` and `{MM}`. */
            invoice_format?: string;
            /** @description `{SEQ:n}` once, of at least n digits, and any of `{YYYY}`, `{YY}` and `{MM}`. */
            credit_note_format?: string;
            /** @description Default 1. */
            first_number?: number;
        };
        NewLegalEntity: {
            name: string;
            address: components["schemas"]["NewAddress"];
            /** @description Where tax is charged. */
            registrations: components["schemas"]["NewTaxRegistration"][];
            currency?: string | null;
            tax_ids?: components["schemas"]["NewTaxId"][];
            /** @description In the EU's one-stop shop. Default false. */
            oss?: boolean;
            bank?: components["schemas"]["NewBankAccount"] | null;
            electronic_address?: components["schemas"]["NewElectronicAddress"] | null;
            contact?: components["schemas"]["NewSellerContact"] | null;
            /**
             * @description document (default) rounds the tax of each rate once, line that of each line.
             * @enum {string}
             */
            tax_rounding?: "document" | "line";
            /** @description The first one is that of plans that name none. */
            series?: components["schemas"]["NewNumberSeries"][];
            footer?: string | null;
            /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
            metadata?: {
                [key: string]: string | null;
            };
            /** @description Your own id, unique among objects of this kind. */
            reference_id?: string;
        };
        Address: {
            line1: string;
            line2?: string;
            postal_code?: string;
            city: string;
            region?: string;
            country: string;
        };
        BankAccount: {
            iban?: string;
            bic?: string;
            account_number?: string;
            bank_code?: string;
            branch_code?: string;
            bank_name?: string;
            account_holder?: string;
            fps_id?: string;
        };
        ElectronicAddress: {
            scheme: string;
            value: string;
        };
        SellerContact: {
            name: string;
            phone: string;
            email: string;
        };
        NumberGap: {
            /** @enum {string} */
            type: "invoice" | "credit_note";
            /** @description Where numbers are counted by year. */
            year?: number;
            /** @description A sequence number, as `{SEQ:n}` shows it. */
            from: number;
            /** @description Inclusive. */
            to: number;
            /** @enum {string} */
            reason: "recovered";
        };
        LegalEntity: {
            id: string;
            name: string;
            currency: string | null;
            address: components["schemas"]["Address"];
            tax_ids: {
                /** @enum {string} */
                type: "vat" | "hk_br" | "sg_uen" | "sg_gst" | "au_abn" | "nz_gst" | "ch_vat" | "no_vat" | "ca_bn" | "us_ein" | "in_gst" | "jp_rn" | "kr_brn" | "th_vat" | "ae_trn" | "za_vat";
                value: string;
            }[];
            registrations: {
                country: string;
                region?: string;
                number?: string;
                from?: string;
                until?: string;
            }[];
            oss: boolean;
            bank: components["schemas"]["BankAccount"] | null;
            electronic_address: components["schemas"]["ElectronicAddress"] | null;
            contact: components["schemas"]["SellerContact"] | null;
            /** @enum {string} */
            tax_rounding: "document" | "line";
            series: {
                key: string;
                invoice_format: string;
                credit_note_format: string;
                first_number: number;
                /** @description Numbers that no document has: `recovered` skipped them after a restore. */
                gaps?: components["schemas"]["NumberGap"][];
            }[];
            footer: string | null;
            reference_id: string | null;
            metadata?: {
                [key: string]: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        LegalEntityEdit: {
            name?: string;
            address?: components["schemas"]["NewAddress"];
            /** @description Where tax is charged. */
            registrations?: components["schemas"]["NewTaxRegistration"][];
            currency?: string | null;
            tax_ids?: components["schemas"]["NewTaxId"][];
            /** @description In the EU's one-stop shop. Default false. */
            oss?: boolean;
            bank?: components["schemas"]["NewBankAccount"] | null;
            electronic_address?: components["schemas"]["NewElectronicAddress"] | null;
            contact?: components["schemas"]["NewSellerContact"] | null;
            /**
             * @description document (default) rounds the tax of each rate once, line that of each line.
             * @enum {string}
             */
            tax_rounding?: "document" | "line";
            /** @description The first one is that of plans that name none. */
            series?: components["schemas"]["NewNumberSeries"][];
            footer?: string | null;
            /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
            metadata?: {
                [key: string]: string | null;
            };
        };
        RateAccountEdit: {
            /**
             * Format: decimal
             * @description Of a line with several rates their sum; 0 for what is not taxed.
             */
            percentage: Decimal;
            /** @enum {string} */
            treatment: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
            account: string;
            /** @description DATEV's BU-Schlüssel; none for an account that posts its tax by itself. */
            tax_key?: string;
        };
        /** @description Replaces all accounts; null removes them. */
        BookkeepingAccountsEdit: {
            receivables?: string | null;
            bank?: string | null;
            cash?: string | null;
            fees?: string | null;
            write_offs?: string | null;
            disputes?: string | null;
            revenue?: components["schemas"]["RateAccountEdit"][];
            /** @description What Xero and QuickBooks call the rates: their tax type or tax code. */
            tax?: components["schemas"]["RateAccountEdit"][];
        };
        DatevSettingsEdit: {
            consultant: number;
            client: number;
            /** @description MM-DD, or a date, of which the year does not count. */
            fiscal_year_start: string;
            account_length: number;
        };
        BillingSettingsEdit: {
            legal_entity_id?: string | null;
            /** @enum {string} */
            tax?: "none" | "automatic";
            /** @enum {string} */
            collection?: "automatic" | "send_invoice";
            /** @description With send_invoice: local days from issue until an invoice is due. Default 30. */
            days_until_due?: number;
            write_off_up_to?: {
                [key: string]: Decimal;
            } | null;
            /** @description For how many days after the end of a period its usage is still taken. Default 35. */
            late_days?: number;
            locked_until?: string | null;
            accounts?: components["schemas"]["BookkeepingAccountsEdit"] | null;
            datev?: components["schemas"]["DatevSettingsEdit"] | null;
        };
        BillingSettings: {
            legal_entity_id: string | null;
            /** @enum {string} */
            tax: "none" | "automatic";
            /** @enum {string} */
            collection: "automatic" | "send_invoice";
            days_until_due: number;
            late_days: number;
            locked_until: string | null;
            accounts: {
                receivables: string | null;
                bank: string | null;
                cash: string | null;
                fees: string | null;
                write_offs: string | null;
                disputes: string | null;
                revenue: {
                    /** Format: decimal */
                    percentage: Decimal;
                    /** @enum {string} */
                    treatment: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
                    account: string;
                    tax_key?: string;
                }[];
                tax: {
                    /** Format: decimal */
                    percentage: Decimal;
                    /** @enum {string} */
                    treatment: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
                    account: string;
                    tax_key?: string;
                }[];
            } | null;
            datev: {
                consultant: number;
                client: number;
                /** @description MM-DD. */
                fiscal_year_start: string;
                account_length: number;
            } | null;
            /** @description By currency: what a match writes off if no more is left due. */
            write_off_up_to: {
                [key: string]: Decimal;
            };
        };
        BillingDetailsEdit: {
            address?: components["schemas"]["NewAddress"] | null;
            tax_ids?: components["schemas"]["NewTaxId"][];
            /**
             * @description exempt pays no tax, reverse owes it itself. Default none.
             * @enum {string}
             */
            tax_exempt?: "none" | "exempt" | "reverse";
            exempt_reason?: string | null;
            language?: string | null;
            invoice_email?: string | null;
            /** @description Who gets copies of the customer's messages. */
            cc?: string[];
            electronic_address?: components["schemas"]["NewElectronicAddress"] | null;
        };
        BillingDetails: {
            address: components["schemas"]["Address"] | null;
            tax_ids: {
                /** @enum {string} */
                type: "vat" | "hk_br" | "sg_uen" | "sg_gst" | "au_abn" | "nz_gst" | "ch_vat" | "no_vat" | "ca_bn" | "us_ein" | "in_gst" | "jp_rn" | "kr_brn" | "th_vat" | "ae_trn" | "za_vat";
                value: string;
                /** @enum {string} */
                state: "unverified" | "verified" | "rejected";
            }[];
            /** @enum {string} */
            tax_exempt: "none" | "exempt" | "reverse";
            exempt_reason: string | null;
            language: string | null;
            invoice_email: string | null;
            cc: string[];
            electronic_address: components["schemas"]["ElectronicAddress"] | null;
        };
        NewTaxRate: {
            /** @description What lines of orders and documents call it. */
            name: string;
            country: components["schemas"]["Country"];
            region?: string | null;
            category?: string | null;
            /**
             * Format: decimal
             * @description From 0 to 100, with up to 6 decimals.
             */
            percentage: Decimal;
            /**
             * Format: date
             * @description Inclusive.
             */
            valid_from: string;
            valid_until?: string | null;
            /** @description Whether lines pay it besides other general rates of the country and category. */
            adds?: boolean;
            /** @description The id of a rate that ends on the day before valid_from. */
            replaces?: string;
            /** @description Your own id, unique among objects of this kind. */
            reference_id?: string;
            /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
            metadata?: {
                [key: string]: string | null;
            };
        };
        TaxRate: {
            id: string;
            name: string;
            country: string;
            region: string | null;
            category: string | null;
            /** Format: decimal */
            percentage: Decimal;
            valid_from: string;
            valid_until: string | null;
            reference_id: string | null;
            metadata?: {
                [key: string]: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ImportedTaxRates: {
            created: number;
            /** @description Lines that say what is stored. */
            unchanged: number;
            dry_run: boolean;
        };
        TaxRateEdit: {
            valid_until?: string | null;
        };
        NewExchangeRate: {
            /**
             * Format: date
             * @description From which it is used, for up to seven days.
             */
            date: string;
            /** @example HKD */
            base: string;
            /** @example HKD */
            quote: string;
            /**
             * Format: decimal
             * @description One unit of base in quote: more than 0, with up to 12 decimals.
             */
            rate: Decimal;
        };
        ExchangeRate: {
            /** Format: date */
            date: string;
            base: string;
            quote: string;
            /**
             * Format: decimal
             * @description One unit of base in quote.
             */
            rate: Decimal;
        };
        NewTaxEngine: {
            /**
             * Format: uri
             * @description Is asked for taxes and about VAT ids.
             */
            url: string;
            /** @description Default 5000. */
            timeout_ms?: number;
            /**
             * @description What taxes lines that the engine does not answer: your own rates, or nothing.
             * @enum {string}
             */
            on_silence: "rates" | "none";
        };
        TaxEngine: {
            url: string;
            timeout_ms: number;
            /** @enum {string} */
            on_silence: "rates" | "none";
            /** @description whsec_…, shown once. */
            secret?: string;
        };
        NewLineItem: {
            /** @enum {string} */
            purchasable_type: "RearTips" | "Charge" | "Listing" | "Rounding" | "SurchargeFee";
            purchase_id?: number;
            /**
             * Format: decimal
             * @description The price of one piece; negative for a discount.
             */
            price: Decimal;
            quantity: number;
            label?: string;
        };
        OrderTax: {
            /** @enum {string} */
            behavior: "exclusive" | "inclusive";
            /** Format: decimal */
            total: Decimal;
            /** @description A group for each rate, and one for each other treatment. */
            groups: {
                name: string;
                /** Format: decimal */
                percentage: Decimal;
                /** @enum {string} */
                treatment: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
                /**
                 * Format: decimal
                 * @description What the group taxes, without the tax.
                 */
                base: Decimal;
                /** Format: decimal */
                amount: Decimal;
            }[];
        };
        LineItem: {
            uuid: string;
            /** @enum {string} */
            purchasable_type: "RearTips" | "Charge" | "Listing" | "Rounding" | "SurchargeFee";
            purchase_id?: number;
            /** Format: decimal */
            price: Decimal;
            quantity: number;
            /** Format: decimal */
            total: Decimal;
            label?: string;
            /**
             * @description What the line of a plan bills.
             * @enum {string}
             */
            kind?: "item" | "usage" | "correction" | "proration_credit" | "proration_charge" | "proration" | "discount" | "coupon" | "tax" | "balance" | "credit" | "to_credit";
            /** @description What time a line of a plan covers. */
            period?: {
                /** Format: date-time */
                start: string;
                /** Format: date-time */
                end: string;
            };
            recurring_item_id?: string;
            /** @description The quantity that the amount was computed from. */
            units?: number;
        };
        PaymentData: {
            /** @description With the name of the real wallet in parentheses. */
            acquirer_name: string;
            /**
             * @description The real wallet behind the method.
             * @enum {string}
             */
            wallet?: "wechat_pay" | "alipay" | "alipay_hk";
            /**
             * @description manual: recorded by hand.
             * @enum {string}
             */
            acquirer_type: "card" | "wallet" | "bank" | "manual";
            /** @description The settlement batch of the acquirer. */
            brn: string;
            new_gateway_txn_id: string;
            /** @enum {string} */
            payment_method: "payment_token" | "credit_card" | "wallet_a_pay" | "wallet_b" | "fps" | "bank_transfer" | "cash" | "cheque" | "other";
            receipt_id: string;
            /** @enum {string} */
            transaction_state: "initiated" | "pending" | "requires_action" | "authorized" | "succeeded" | "failed" | "voided" | "expired" | "unknown";
            merchant_id?: string;
            token?: string;
            auth_code?: string;
            rrn?: string;
            /**
             * Format: decimal
             * @description What the bank kept of a payment by hand.
             */
            fee?: Decimal;
            /** @description It had counted before the acquirer said that it failed. */
            failed_later?: boolean;
            resp_code?: string;
            resp_msg?: string;
            credit_card_type?: string;
            first_6_digits?: string;
            last_4_digits?: string;
            card_number_len?: number;
            holder_name?: string;
            exp_month?: string;
            exp_year?: string;
        };
        NextAction: {
            /**
             * @example three_d_secure
             * @example wallet_confirmation
             * @example bank_confirmation
             */
            type: string;
            /** @description Where to send the payer. */
            url: string;
            /** @description The text of the code that the payer scans with the app. On a desktop only. */
            qr_code?: string;
            /**
             * Format: date-time
             * @description Until when the payer may act, where it is known.
             */
            expires_at?: string;
        };
        Transaction: {
            /** @enum {string} */
            type: "Sales" | "Authorization" | "Refund" | "Capture";
            uuid: string;
            currency: string;
            /**
             * Format: decimal
             * @description Negative for a Refund.
             */
            amount: Decimal;
            /** @description False again after a void. */
            success: boolean;
            /** @description The outcome is not known yet, or the payer has something to do. */
            is_pending: boolean;
            /** @description True for an Authorization of which at least one Capture succeeded. */
            captured: boolean;
            allow_void: boolean;
            allow_refund: boolean;
            /** @description The outcome of the void is not known yet. */
            void_is_pending: boolean;
            /** @description Why the acquirer did not void it, until another void. */
            void_failure?: {
                resp_code: string;
                resp_msg: string;
            };
            /** @enum {string} */
            payment_method: "payment_token" | "credit_card" | "wallet_a_pay" | "wallet_b" | "fps" | "bank_transfer" | "cash" | "cheque" | "other";
            note: string | null;
            payment_data: components["schemas"]["PaymentData"];
            value_date: string | null;
            /**
             * Format: date
             * @description The local date on which a bank transfer counts as returned. It stays paid on its value_date.
             */
            returned_on?: string;
            original_transaction_uuid: string | null;
            reference_id?: string;
            original_transaction_reference_id?: string;
            next_action?: components["schemas"]["NextAction"];
            /** Format: date-time */
            created_at: string;
        };
        Order: {
            /** @enum {string} */
            source: "api" | "recurring" | "payment_link";
            /** @enum {string} */
            type: "one_off" | "recurring";
            number: string;
            reference_number: string;
            due_date: string | null;
            /** Format: decimal */
            initial_total: Decimal;
            /** Format: decimal */
            initial_tips: Decimal;
            /** Format: decimal */
            subtotal: Decimal;
            /** @description The sum of the successful Sales, Captures and Refunds, as a decimal string. */
            paid_total: string;
            /** @description initial_total − paid_total. Negative when over-paid. */
            unpaid_total: string;
            /** @description The sum of the successful Refunds, above zero. */
            refunded_total: string;
            /** @description Whether the order can be voided now. */
            allow_void: boolean;
            /** @description What the payer still owes: unpaid_total while the order can be paid, else zero. */
            amount_due: string;
            /** @enum {string} */
            state: "open" | "completed" | "refunded" | "voided" | "expired";
            /** @enum {string} */
            correspondence_state: "unpaid" | "partial_paid" | "paid" | "over_paid";
            currency: string;
            return_url?: string;
            notify_url?: string;
            customer_uuid?: string;
            /** @description The plan that made the order. */
            plan_id?: string;
            /** @description Of orders of plans, and of orders with an invoice. */
            billing?: {
                /**
                 * @description Why the plan made the order.
                 * @enum {string}
                 */
                kind?: "period" | "change" | "usage" | "closing" | "top_up";
                tax: components["schemas"]["OrderTax"] | null;
                /**
                 * Format: decimal
                 * @description By how much changes of the plan and credit notes lowered what is to be paid.
                 */
                credited_total: Decimal;
                /**
                 * Format: decimal
                 * @description What was given up, if anything was.
                 */
                written_off?: Decimal;
                /**
                 * Format: decimal
                 * @description What of an overpayment became credit of a plan, if anything did.
                 */
                moved_to_credit?: Decimal;
                invoice_id?: string;
                invoice_number?: string;
            };
            /** @description What the plan carried when it made the order. */
            plan_metadata?: {
                [key: string]: string;
            };
            metadata?: {
                [key: string]: string;
            };
            timeout?: {
                timer: string;
                url?: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            line_items: components["schemas"]["LineItem"][] | null;
            transactions: components["schemas"]["Transaction"][];
        };
        /** @description Send at least one. Two must name the same order. */
        OrderIdentifiers: {
            number?: string;
            reference_number?: string;
        };
        ListedTransaction: {
            /** @enum {string} */
            type: "Sales" | "Authorization" | "Refund" | "Capture";
            uuid: string;
            currency: string;
            /**
             * Format: decimal
             * @description Negative for a Refund.
             */
            amount: Decimal;
            /** @description False again after a void. */
            success: boolean;
            /** @description The outcome is not known yet, or the payer has something to do. */
            is_pending: boolean;
            /** @description True for an Authorization of which at least one Capture succeeded. */
            captured: boolean;
            allow_void: boolean;
            allow_refund: boolean;
            /** @description The outcome of the void is not known yet. */
            void_is_pending: boolean;
            /** @description Why the acquirer did not void it, until another void. */
            void_failure?: {
                resp_code: string;
                resp_msg: string;
            };
            /** @enum {string} */
            payment_method: "payment_token" | "credit_card" | "wallet_a_pay" | "wallet_b" | "fps" | "bank_transfer" | "cash" | "cheque" | "other";
            note: string | null;
            payment_data: components["schemas"]["PaymentData"];
            value_date: string | null;
            /**
             * Format: date
             * @description The local date on which a bank transfer counts as returned. It stays paid on its value_date.
             */
            returned_on?: string;
            original_transaction_uuid: string | null;
            reference_id?: string;
            original_transaction_reference_id?: string;
            next_action?: components["schemas"]["NextAction"];
            /** Format: date-time */
            created_at: string;
            order_number: string;
            customer_uuid?: string;
            acquirer_account_id: string;
            /** @description Why a failed transaction failed: the `decline_code` of the 402. */
            decline_code?: string;
        };
        /** @description Send at least one. Two must name the same transaction. */
        TransactionIdentifiers: {
            uuid?: string;
            reference_id?: string;
        };
        Spend: {
            currency: string;
            /** @description Those of which something is paid. */
            orders: number;
            /** @description What was paid less what went back, as a decimal string. */
            paid_total: string;
        };
        Dispute: {
            id: string;
            order_number: string | null;
            transaction: {
                uuid: string;
            } | null;
            /**
             * Format: decimal
             * @description The disputed amount, which may be a part of the payment.
             */
            amount: Decimal;
            currency: string;
            /** @description A word of the acquirer, such as `fraudulent`. */
            reason: string;
            /**
             * @description An `inquiry_…` precedes a chargeback and has moved no money.
             * @enum {string}
             */
            state: "inquiry_needs_response" | "inquiry_under_review" | "inquiry_closed" | "needs_response" | "under_review" | "won" | "lost";
            respond_by: string | null;
            acquirer_account_id: string;
            /** @description The id of the dispute at the acquirer. */
            acquirer_reference: string;
            /** @description Staged or submitted evidence: texts, and files without their content. */
            evidence: {
                [key: string]: string | {
                    name: string;
                    content_type: string;
                    /** @description In bytes. */
                    size: number;
                };
            };
            submitted_at: string | null;
            /**
             * Format: date-time
             * @description When the acquirer opened it.
             */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        NewEvidenceFile: {
            /** @description The name of the file, as the acquirer will show it. */
            name: string;
            content_type: string;
            content: string;
        };
        Payout: {
            /** @description The id at the acquirer. */
            id: string;
            /** Format: decimal */
            amount: Decimal;
            currency: string;
            /** @enum {string} */
            state: "pending" | "paid" | "failed" | "canceled";
            /** Format: date-time */
            arrives_at: string;
            /**
             * @description Whether all lines that it pays are here. `unavailable`: the acquirer does not say which, and they stay with their days.
             * @enum {string}
             */
            lines: "pending" | "complete" | "unavailable";
        };
        ReconciliationTotal: {
            /** @enum {string} */
            type: "payment" | "refund" | "dispute" | "fee" | "payout" | "other";
            /** @enum {string} */
            result: "matched" | "missing_here" | "missing_there" | "different_amount" | "fee" | "other";
            currency: string;
            count: number;
            /** Format: decimal */
            gross: Decimal;
            /** Format: decimal */
            fee: Decimal;
            /** Format: decimal */
            net: Decimal;
        };
        Reconciliation: {
            id: string;
            acquirer_account_id: string;
            payout: components["schemas"]["Payout"] | null;
            date: string | null;
            /** @description Lines with their transaction or dispute here, of the same amount. */
            matched: number;
            /** @description Lines without a transaction or dispute here. */
            missing_here: number;
            /** @description Transactions and lost disputes here that the acquirer has no line for. */
            missing_there: number;
            /** @description Lines whose amount is not that of their transaction or dispute. */
            different_amount: number;
            /** @description What the acquirer kept: fees of lines, and lines that are fees. */
            fees: {
                currency: string;
                /** Format: decimal */
                amount: Decimal;
            }[];
            totals: components["schemas"]["ReconciliationTotal"][];
            /** Format: date-time */
            created_at: string;
        };
        ReconciliationRun: {
            acquirer_account_id: string;
            /** @enum {string} */
            state: "waiting" | "running";
            /** Format: date-time */
            next_run_at: string;
            completed_at: string | null;
            problem: string | null;
        };
        ReconciliationEntry: {
            /** @description The acquirer's id of the line. For `missing_there` the id of our transaction or dispute. */
            id: string;
            /** @enum {string} */
            result: "matched" | "missing_here" | "missing_there" | "different_amount" | "fee" | "other";
            /** @enum {string} */
            type: "payment" | "refund" | "dispute" | "fee" | "payout" | "other";
            /** @description The acquirer's own word, such as `charge`. */
            acquirer_type: string;
            acquirer_reference: string | null;
            currency: string;
            /**
             * Format: decimal
             * @description Positive for money that comes in.
             */
            gross: Decimal;
            /**
             * Format: decimal
             * @description Positive for what the acquirer keeps.
             */
            fee: Decimal;
            /** Format: decimal */
            net: Decimal;
            paid: {
                currency: string;
                /** Format: decimal */
                amount: Decimal;
            } | null;
            expected: {
                currency: string;
                /** Format: decimal */
                amount: Decimal;
            } | null;
            order_number: string | null;
            transaction: {
                uuid: string;
            } | null;
            dispute: {
                id: string;
            } | null;
            /** Format: date-time */
            created_at: string;
            available_at: string | null;
        };
        NewInvoiceLine: {
            label: string;
            /**
             * Format: decimal
             * @description More than 0, up to 12 decimals.
             */
            quantity: Decimal;
            /**
             * Format: decimal
             * @description Up to 12 decimals, not negative.
             */
            unit_amount: Decimal;
            /** @description Default standard. */
            tax_category?: string;
            period?: {
                /** Format: date-time */
                start: string;
                /** Format: date-time */
                end: string;
            };
        };
        NewInvoice: {
            customer_uuid: string;
            currency: string;
            lines: components["schemas"]["NewInvoiceLine"][];
            /** @description Default the settings'. */
            legal_entity_id?: string;
            /** @description Default the first of the legal entity. */
            series?: string;
            /** @enum {string} */
            tax?: "none" | "automatic";
            /**
             * @description automatic charges the default token once; otherwise the order is payable by link.
             * @enum {string}
             */
            collection?: "automatic" | "send_invoice";
            days_until_due?: number;
            buyer_reference?: string | null;
            purchase_order?: string | null;
            /** @description Printed on the document as it is. */
            memo?: string;
            /** @description Your own id, unique among invoices and credit notes. */
            reference_id?: string;
            /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
            metadata?: {
                [key: string]: string | null;
            };
            /** @description true makes a draft, without a number, an order and a charge. */
            draft?: boolean;
        };
        InvoiceLine: {
            id: string;
            /** @description The line of the invoice that a line of a credit note lowers. */
            line_id?: string;
            label: string;
            /**
             * Format: decimal
             * @description Negative on lines that credit something.
             */
            quantity: Decimal;
            /** Format: decimal */
            unit_amount: Decimal;
            /**
             * Format: decimal
             * @description quantity × unit_amount.
             */
            amount: Decimal;
            /**
             * Format: decimal
             * @description The share of discounts and coupons.
             */
            discount: Decimal;
            /** Format: decimal */
            net: Decimal;
            /** Format: decimal */
            tax: Decimal;
            /**
             * Format: decimal
             * @description net + tax.
             */
            total: Decimal;
            period?: {
                /** Format: date-time */
                start: string;
                /** Format: date-time */
                end: string;
            };
            /** @enum {string} */
            treatment: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
            rates: {
                name: string;
                /** Format: decimal */
                percentage: Decimal;
            }[];
        };
        Invoice: {
            id: string;
            /** @enum {string} */
            type: "invoice" | "credit_note";
            number: string;
            /** @enum {string} */
            state: "open" | "paid" | "credited" | "uncollectible";
            order_number: string;
            plan_id?: string;
            /** @description The invoice that a credit note lowers. */
            invoice_id?: string;
            /** @description The invoice that this one corrects as a whole. */
            replaces?: string;
            /** @description The invoice that corrects this one as a whole. */
            replaced_by?: string;
            /** @description Of the invoice that a credit note corrects; of a change of a plan that took something back from several invoices, separated by commas. */
            invoice_number?: string;
            /** @description Why a credit note was issued. */
            reason?: string;
            /** @description Where the amount of a credit note went when it was issued: off what was due, back to the payments, to the plan's credit. The rest was not given back. */
            settlement?: {
                /** Format: decimal */
                due: Decimal;
                /** Format: decimal */
                refunded: Decimal;
                /** Format: decimal */
                credited: Decimal;
            };
            seller: {
                legal_entity_id: string;
                name: string;
                address: {
                    line1: string;
                    line2: string | null;
                    postal_code: string | null;
                    city: string;
                    region: string | null;
                    country: string;
                };
                tax_ids: {
                    type: string;
                    value: string;
                }[];
                bank: {
                    iban?: string;
                    bic: string | null;
                    account_number?: string;
                    bank_code?: string;
                    branch_code?: string;
                    bank_name?: string;
                    account_holder?: string;
                    fps_id?: string;
                } | null;
                electronic_address?: {
                    scheme: string;
                    value: string;
                };
                contact?: {
                    name: string;
                    phone: string;
                    email: string;
                };
                footer: string | null;
            };
            buyer: {
                customer_uuid: string;
                name: string;
                email: string | null;
                address: {
                    line1: string;
                    line2: string | null;
                    postal_code: string | null;
                    city: string;
                    region: string | null;
                    country: string;
                } | null;
                tax_ids: {
                    type: string;
                    value: string;
                }[];
                electronic_address?: {
                    scheme: string;
                    value: string;
                };
                language: string | null;
            };
            /**
             * Format: date
             * @description In the business's zone.
             */
            issue_date: string;
            /** Format: date */
            due_date: string;
            currency: string;
            /** @enum {string} */
            tax_behavior: "exclusive" | "inclusive";
            lines: components["schemas"]["InvoiceLine"][];
            taxes: {
                name: string;
                /** Format: decimal */
                percentage: Decimal;
                /** @enum {string} */
                treatment: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
                /** Format: decimal */
                base: Decimal;
                /** Format: decimal */
                amount: Decimal;
                /** Format: decimal */
                base_in_tax_currency?: Decimal;
                /**
                 * Format: decimal
                 * @description A running share, so that the taxes sum to tax_total_in_tax_currency.
                 */
                amount_in_tax_currency?: Decimal;
            }[];
            /** @description Of taxed documents in another currency: the one in which the seller reports its tax. The members that follow belong to it. */
            tax_currency?: string;
            exchange_rate?: Decimal | null;
            exchange_rate_base?: string;
            exchange_rate_date?: string | null;
            /**
             * Format: decimal
             * @description tax_total by the rate, rounded once; of credit notes a running share.
             */
            tax_total_in_tax_currency?: Decimal;
            /** Format: decimal */
            net_total: Decimal;
            /** Format: decimal */
            tax_total: Decimal;
            /** Format: decimal */
            total: Decimal;
            /**
             * Format: decimal
             * @description What credit and balances had paid at the issue.
             */
            prepaid: Decimal;
            /** Format: decimal */
            amount_due: Decimal;
            /**
             * Format: decimal
             * @description By how much credit notes lowered the invoice.
             */
            credited_total: Decimal;
            /** @description The payments that count, oldest first. Not of credit notes and in events. */
            payments?: {
                transaction_uuid: string;
                value_date: string | null;
                /** @description The `payment_method` of the transaction. */
                method: string;
                /** @description Who recorded the payment. `manual`: by hand, and undone as a transaction. `bank`: from a bank statement, and unmatched at its entry. */
                acquirer_type: string;
                /** Format: decimal */
                amount: Decimal;
                /**
                 * Format: decimal
                 * @description What of the amount the bank kept.
                 */
                fee?: Decimal;
                reference: string | null;
                /** @description Of a transfer of a bank statement: who sent it, as the bank names them. */
                payer_name?: string;
            }[];
            /**
             * Format: decimal
             * @description What was paid beyond what is owed, and neither given back nor moved. Negative: what was given back by hand beyond it, until a credit note covers it. Not of credit notes and in events.
             */
            overpaid?: Decimal;
            /** @description Creditor reference, ISO 11649. */
            payment_reference: string;
            /** @description Such as the Leitweg-ID in Germany. */
            buyer_reference?: string;
            /** @description The number of the buyer's order. */
            purchase_order?: string;
            notes: string[];
            memo?: string;
            reference_id: string | null;
            metadata?: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When the number was given.
             */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description What was asked for, which the issue bills. */
        DraftRequest: {
            customer_uuid: string;
            currency: string;
            lines: {
                label: string;
                /** Format: decimal */
                quantity: Decimal;
                /** Format: decimal */
                unit_amount: Decimal;
                tax_category?: string;
                period?: {
                    /** Format: date-time */
                    start: string;
                    /** Format: date-time */
                    end: string;
                };
            }[];
            legal_entity_id?: string;
            series?: string;
            /** @enum {string} */
            tax?: "none" | "automatic";
            /** @enum {string} */
            collection?: "automatic" | "send_invoice";
            days_until_due?: number;
            buyer_reference?: string | null;
            purchase_order?: string | null;
            memo?: string;
            reference_id?: string;
            metadata?: {
                [key: string]: string;
            };
        };
        InvoiceDraft: {
            id: string;
            /** @constant */
            state: "draft";
            /** @enum {string} */
            type: "invoice" | "credit_note";
            plan_id?: string;
            /** @description The invoice that a credit note lowers. */
            invoice_id?: string;
            /** @description The invoice that this one corrects as a whole. */
            replaces?: string;
            /** @description The invoice that corrects this one as a whole. */
            replaced_by?: string;
            /** @description Of the invoice that a credit note corrects; of a change of a plan that took something back from several invoices, separated by commas. */
            invoice_number?: string;
            /** @description Why a credit note was issued. */
            reason?: string;
            /** @description Where the amount of a credit note went when it was issued: off what was due, back to the payments, to the plan's credit. The rest was not given back. */
            settlement?: {
                /** Format: decimal */
                due: Decimal;
                /** Format: decimal */
                refunded: Decimal;
                /** Format: decimal */
                credited: Decimal;
            };
            seller: {
                legal_entity_id: string;
                name: string;
                address: {
                    line1: string;
                    line2: string | null;
                    postal_code: string | null;
                    city: string;
                    region: string | null;
                    country: string;
                };
                tax_ids: {
                    type: string;
                    value: string;
                }[];
                bank: {
                    iban?: string;
                    bic: string | null;
                    account_number?: string;
                    bank_code?: string;
                    branch_code?: string;
                    bank_name?: string;
                    account_holder?: string;
                    fps_id?: string;
                } | null;
                electronic_address?: {
                    scheme: string;
                    value: string;
                };
                contact?: {
                    name: string;
                    phone: string;
                    email: string;
                };
                footer: string | null;
            };
            buyer: {
                customer_uuid: string;
                name: string;
                email: string | null;
                address: {
                    line1: string;
                    line2: string | null;
                    postal_code: string | null;
                    city: string;
                    region: string | null;
                    country: string;
                } | null;
                tax_ids: {
                    type: string;
                    value: string;
                }[];
                electronic_address?: {
                    scheme: string;
                    value: string;
                };
                language: string | null;
            };
            currency: string;
            /** @enum {string} */
            tax_behavior: "exclusive" | "inclusive";
            lines: components["schemas"]["InvoiceLine"][];
            taxes: {
                name: string;
                /** Format: decimal */
                percentage: Decimal;
                /** @enum {string} */
                treatment: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
                /** Format: decimal */
                base: Decimal;
                /** Format: decimal */
                amount: Decimal;
                /** Format: decimal */
                base_in_tax_currency?: Decimal;
                /**
                 * Format: decimal
                 * @description A running share, so that the taxes sum to tax_total_in_tax_currency.
                 */
                amount_in_tax_currency?: Decimal;
            }[];
            /** @description Of taxed documents in another currency: the one in which the seller reports its tax. The members that follow belong to it. */
            tax_currency?: string;
            exchange_rate?: Decimal | null;
            exchange_rate_base?: string;
            exchange_rate_date?: string | null;
            /**
             * Format: decimal
             * @description tax_total by the rate, rounded once; of credit notes a running share.
             */
            tax_total_in_tax_currency?: Decimal;
            /** Format: decimal */
            net_total: Decimal;
            /** Format: decimal */
            tax_total: Decimal;
            /** Format: decimal */
            total: Decimal;
            /**
             * Format: decimal
             * @description What credit and balances had paid at the issue.
             */
            prepaid: Decimal;
            /** Format: decimal */
            amount_due: Decimal;
            /**
             * Format: decimal
             * @description By how much credit notes lowered the invoice.
             */
            credited_total: Decimal;
            /** @description The payments that count, oldest first. Not of credit notes and in events. */
            payments?: {
                transaction_uuid: string;
                value_date: string | null;
                /** @description The `payment_method` of the transaction. */
                method: string;
                /** @description Who recorded the payment. `manual`: by hand, and undone as a transaction. `bank`: from a bank statement, and unmatched at its entry. */
                acquirer_type: string;
                /** Format: decimal */
                amount: Decimal;
                /**
                 * Format: decimal
                 * @description What of the amount the bank kept.
                 */
                fee?: Decimal;
                reference: string | null;
                /** @description Of a transfer of a bank statement: who sent it, as the bank names them. */
                payer_name?: string;
            }[];
            /**
             * Format: decimal
             * @description What was paid beyond what is owed, and neither given back nor moved. Negative: what was given back by hand beyond it, until a credit note covers it. Not of credit notes and in events.
             */
            overpaid?: Decimal;
            /** @description Such as the Leitweg-ID in Germany. */
            buyer_reference?: string;
            /** @description The number of the buyer's order. */
            purchase_order?: string;
            notes: string[];
            memo?: string;
            reference_id: string | null;
            metadata?: {
                [key: string]: string;
            };
            draft: components["schemas"]["DraftRequest"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        InvoiceTotals: {
            currency: string;
            documents: number;
            /**
             * Format: decimal
             * @description Credit notes count negative.
             */
            net_total: Decimal;
            /** Format: decimal */
            tax_total: Decimal;
            /** Format: decimal */
            total: Decimal;
            /** Format: decimal */
            amount_due: Decimal;
        };
        InvoicePreview: {
            /** @enum {string} */
            type: "invoice" | "credit_note";
            /** @enum {string} */
            state: "open" | "paid" | "credited" | "uncollectible";
            plan_id?: string;
            /** @description The invoice that a credit note lowers. */
            invoice_id?: string;
            /** @description The invoice that this one corrects as a whole. */
            replaces?: string;
            /** @description The invoice that corrects this one as a whole. */
            replaced_by?: string;
            /** @description Of the invoice that a credit note corrects; of a change of a plan that took something back from several invoices, separated by commas. */
            invoice_number?: string;
            /** @description Why a credit note was issued. */
            reason?: string;
            /** @description Where the amount of a credit note went when it was issued: off what was due, back to the payments, to the plan's credit. The rest was not given back. */
            settlement?: {
                /** Format: decimal */
                due: Decimal;
                /** Format: decimal */
                refunded: Decimal;
                /** Format: decimal */
                credited: Decimal;
            };
            seller: {
                legal_entity_id: string;
                name: string;
                address: {
                    line1: string;
                    line2: string | null;
                    postal_code: string | null;
                    city: string;
                    region: string | null;
                    country: string;
                };
                tax_ids: {
                    type: string;
                    value: string;
                }[];
                bank: {
                    iban?: string;
                    bic: string | null;
                    account_number?: string;
                    bank_code?: string;
                    branch_code?: string;
                    bank_name?: string;
                    account_holder?: string;
                    fps_id?: string;
                } | null;
                electronic_address?: {
                    scheme: string;
                    value: string;
                };
                contact?: {
                    name: string;
                    phone: string;
                    email: string;
                };
                footer: string | null;
            };
            buyer: {
                customer_uuid: string;
                name: string;
                email: string | null;
                address: {
                    line1: string;
                    line2: string | null;
                    postal_code: string | null;
                    city: string;
                    region: string | null;
                    country: string;
                } | null;
                tax_ids: {
                    type: string;
                    value: string;
                }[];
                electronic_address?: {
                    scheme: string;
                    value: string;
                };
                language: string | null;
            };
            /**
             * Format: date
             * @description In the business's zone.
             */
            issue_date: string;
            /** Format: date */
            due_date: string;
            currency: string;
            /** @enum {string} */
            tax_behavior: "exclusive" | "inclusive";
            lines: components["schemas"]["InvoiceLine"][];
            taxes: {
                name: string;
                /** Format: decimal */
                percentage: Decimal;
                /** @enum {string} */
                treatment: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
                /** Format: decimal */
                base: Decimal;
                /** Format: decimal */
                amount: Decimal;
                /** Format: decimal */
                base_in_tax_currency?: Decimal;
                /**
                 * Format: decimal
                 * @description A running share, so that the taxes sum to tax_total_in_tax_currency.
                 */
                amount_in_tax_currency?: Decimal;
            }[];
            /** @description Of taxed documents in another currency: the one in which the seller reports its tax. The members that follow belong to it. */
            tax_currency?: string;
            exchange_rate?: Decimal | null;
            exchange_rate_base?: string;
            exchange_rate_date?: string | null;
            /**
             * Format: decimal
             * @description tax_total by the rate, rounded once; of credit notes a running share.
             */
            tax_total_in_tax_currency?: Decimal;
            /** Format: decimal */
            net_total: Decimal;
            /** Format: decimal */
            tax_total: Decimal;
            /** Format: decimal */
            total: Decimal;
            /**
             * Format: decimal
             * @description What credit and balances had paid at the issue.
             */
            prepaid: Decimal;
            /** Format: decimal */
            amount_due: Decimal;
            /**
             * Format: decimal
             * @description By how much credit notes lowered the invoice.
             */
            credited_total: Decimal;
            /** @description The payments that count, oldest first. Not of credit notes and in events. */
            payments?: {
                transaction_uuid: string;
                value_date: string | null;
                /** @description The `payment_method` of the transaction. */
                method: string;
                /** @description Who recorded the payment. `manual`: by hand, and undone as a transaction. `bank`: from a bank statement, and unmatched at its entry. */
                acquirer_type: string;
                /** Format: decimal */
                amount: Decimal;
                /**
                 * Format: decimal
                 * @description What of the amount the bank kept.
                 */
                fee?: Decimal;
                reference: string | null;
                /** @description Of a transfer of a bank statement: who sent it, as the bank names them. */
                payer_name?: string;
            }[];
            /**
             * Format: decimal
             * @description What was paid beyond what is owed, and neither given back nor moved. Negative: what was given back by hand beyond it, until a credit note covers it. Not of credit notes and in events.
             */
            overpaid?: Decimal;
            /** @description Such as the Leitweg-ID in Germany. */
            buyer_reference?: string;
            /** @description The number of the buyer's order. */
            purchase_order?: string;
            notes: string[];
            memo?: string;
            reference_id: string | null;
            metadata?: {
                [key: string]: string;
            };
        };
        DraftInvoice: {
            customer_uuid: string;
            currency: string;
            lines: components["schemas"]["NewInvoiceLine"][];
            /** @description Default the settings'. */
            legal_entity_id?: string;
            /** @description Default the first of the legal entity. */
            series?: string;
            /** @enum {string} */
            tax?: "none" | "automatic";
            /**
             * @description automatic charges the default token once; otherwise the order is payable by link.
             * @enum {string}
             */
            collection?: "automatic" | "send_invoice";
            days_until_due?: number;
            buyer_reference?: string | null;
            purchase_order?: string | null;
            /** @description Printed on the document as it is. */
            memo?: string;
            /** @description Your own id, unique among invoices and credit notes. */
            reference_id?: string;
            /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
            metadata?: {
                [key: string]: string | null;
            };
            /**
             * @description Needs not be sent.
             * @constant
             */
            draft?: true;
        };
        Reissue: {
            /** @description Shown on the credit note. Default: `Correction`. */
            reason?: string;
        };
        NewCreditNote: {
            lines?: {
                line_id: string;
                /**
                 * Format: decimal
                 * @description With tax, more than 0.
                 */
                amount: Decimal;
            }[];
            /**
             * Format: decimal
             * @description With tax; goes over the lines by what is left of each. Without lines and amount: all that is left.
             */
            amount?: Decimal;
            reason: string;
            /**
             * @description What becomes of the part that is not due any more: refunds of payments, newest first, credit of the plan, or nothing. Default none.
             * @enum {string}
             */
            refund?: "payment" | "credit" | "none";
            /** @description Your own id, unique among invoices and credit notes. */
            reference_id?: string;
            /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
            metadata?: {
                [key: string]: string | null;
            };
        };
        TaxSum: {
            legal_entity_id: string;
            currency: string;
            /** @description The rate's; the place of what is not taxed. */
            country: string;
            region: string | null;
            /** @enum {string} */
            treatment: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
            name: string;
            /** Format: decimal */
            percentage: Decimal;
            category: string | null;
            /**
             * Format: decimal
             * @description Of credit notes negative.
             */
            net: Decimal;
            /**
             * Format: decimal
             * @description Of credit notes negative.
             */
            tax: Decimal;
            /** @description In how many documents it stands. */
            documents: number;
            /** @description The currency in which the seller reports tax, where documents have their tax in it, too. Others are in rows of their own. */
            tax_currency?: string;
            /**
             * Format: decimal
             * @description By the rates of the documents.
             */
            net_in_tax_currency?: Decimal;
            /**
             * Format: decimal
             * @description By the rates of the documents.
             */
            tax_in_tax_currency?: Decimal;
        };
        TaxRow: {
            document_id: string;
            /** @enum {string} */
            type: "invoice" | "credit_note";
            number: string;
            /**
             * Format: date
             * @description In the business's zone.
             */
            issue_date: string;
            customer_uuid: string;
            line_id: string;
            label: string;
            buyer_name: string;
            legal_entity_id: string;
            currency: string;
            /** @description The rate's; the place of what is not taxed. */
            country: string;
            region: string | null;
            /** @enum {string} */
            treatment: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
            name: string;
            /** Format: decimal */
            percentage: Decimal;
            category: string | null;
            /**
             * Format: decimal
             * @description Of credit notes negative.
             */
            net: Decimal;
            /**
             * Format: decimal
             * @description Of credit notes negative.
             */
            tax: Decimal;
            /** @description The currency in which the seller reports tax, where documents have their tax in it, too. Others are in rows of their own. */
            tax_currency?: string;
            /**
             * Format: decimal
             * @description By the rates of the documents.
             */
            net_in_tax_currency?: Decimal;
            /**
             * Format: decimal
             * @description By the rates of the documents.
             */
            tax_in_tax_currency?: Decimal;
        };
        BuyerSum: {
            legal_entity_id: string;
            currency: string;
            buyer_tax_id: string | null;
            buyer_country: string | null;
            buyer_name: string;
            /** @enum {string} */
            treatment: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
            /**
             * Format: decimal
             * @description Of credit notes negative.
             */
            net: Decimal;
            /**
             * Format: decimal
             * @description Of credit notes negative.
             */
            tax: Decimal;
        };
        BuyerRow: {
            document_id: string;
            /** @enum {string} */
            type: "invoice" | "credit_note";
            number: string;
            /**
             * Format: date
             * @description In the business's zone.
             */
            issue_date: string;
            customer_uuid: string;
            line_id: string;
            label: string;
            legal_entity_id: string;
            currency: string;
            buyer_tax_id: string | null;
            buyer_country: string | null;
            buyer_name: string;
            /** @enum {string} */
            treatment: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
            /**
             * Format: decimal
             * @description Of credit notes negative.
             */
            net: Decimal;
            /**
             * Format: decimal
             * @description Of credit notes negative.
             */
            tax: Decimal;
        };
        OpenItem: {
            legal_entity_id: string;
            currency: string;
            invoice_id: string;
            number: string;
            customer_uuid: string;
            buyer_name: string;
            /**
             * Format: date
             * @description In the business's zone.
             */
            issue_date: string;
            /**
             * Format: date
             * @description It is due until the end of this day.
             */
            due_date: string;
            /** @description 0 until the due date has passed. */
            days_overdue: number;
            /** Format: decimal */
            total: Decimal;
            /**
             * Format: decimal
             * @description What credit and balances had paid at the issue.
             */
            prepaid: Decimal;
            /**
             * Format: decimal
             * @description Less what was refunded, returned and moved to the credit of a plan.
             */
            paid: Decimal;
            /**
             * Format: decimal
             * @description By notes that were issued until then, without what they gave as credit of the plan.
             */
            credited: Decimal;
            /**
             * Format: decimal
             * @description Given up until then without a note.
             */
            written_off: Decimal;
            /**
             * Format: decimal
             * @description total less prepaid, paid, credited and written_off.
             */
            due: Decimal;
            plan_id: string | null;
        };
        OpenRow: {
            legal_entity_id: string;
            currency: string;
            invoice_id: string;
            number: string;
            /** @enum {string} */
            line: "invoice" | "prepaid" | "payment" | "refund" | "credit_note" | "write_off" | "moved_to_credit";
            /** @description The id of the document, write-off or credit, or the uuid of the transaction. */
            object_id: string;
            /**
             * Format: date
             * @description On which it counts.
             */
            date: string;
            /**
             * Format: decimal
             * @description What it adds to what is due.
             */
            amount: Decimal;
        };
        OpenAges: {
            legal_entity_id: string;
            currency: string;
            invoices: number;
            /** Format: decimal */
            due: Decimal;
            /**
             * Format: decimal
             * @description Until the end of the due date.
             */
            not_due: Decimal;
            /**
             * Format: decimal
             * @description Days past the due date.
             */
            "1_30": Decimal;
            /** Format: decimal */
            "31_60": Decimal;
            /** Format: decimal */
            "61_90": Decimal;
            /** Format: decimal */
            over_90: Decimal;
        };
        NewBankStatement: {
            /** @enum {string} */
            format: "camt053" | "csv";
            /** @description camt.053 of any version; or CSV whose header names `booking_date`, `amount` and `currency`, and any of `debtor_name`, `debtor_iban`, `bank_reference` and `remittance`. */
            content: string;
            /** @description Your own id, unique among objects of this kind. */
            reference_id?: string;
            /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
            metadata?: {
                [key: string]: string | null;
            };
        };
        BankStatement: {
            id: string;
            /** @enum {string} */
            format: "camt053" | "csv";
            /** @description Booked credits, one for each `TxDtls`. */
            entries: number;
            /** @description Those that no statement before had. */
            new: number;
            /** @description New ones that were matched when they came. */
            matched: number;
            /** @description New ones that were not, suggested ones among them. */
            unmatched: number;
            /** @description Matched ones that count on the first open day, because their booking date is in a closed month. */
            counted_later: number;
            reference_id: string | null;
            metadata?: {
                [key: string]: string;
            };
            /** Format: date-time */
            created_at: string;
        };
        BankEntrySuggestion: {
            /** @description Of one customer. The amounts sum to the entry. None with `paid_twice`. */
            invoices: {
                id: string;
                number: string;
                order_number: string;
                /** Format: decimal */
                amount_due: Decimal;
                /**
                 * Format: decimal
                 * @description What a match pays.
                 */
                amount: Decimal;
            }[];
            customer_uuid: string;
            customer_name: string;
            /** @description `paid_twice`: the same transfer has paid the invoices that the remittance names, so there is none to pay; `reference`: the remittance has the number; `amount`: exactly this is due; `payer`: the IBAN has paid for the customer; `name`: the debtor has the name of the customer. */
            reasons: ("paid_twice" | "reference" | "amount" | "payer" | "name")[];
        };
        BankEntry: {
            id: string;
            /** @enum {string} */
            state: "matched" | "unmatched" | "suggested" | "ignored";
            /** @description YYYY-MM-DD. */
            booking_date: string;
            /** Format: decimal */
            amount: Decimal;
            currency: string;
            debtor_name: string | null;
            debtor_iban: string | null;
            bank_reference: string | null;
            remittance: string;
            /** @description What a matched entry paid, or what a suggested one may pay. */
            invoices: {
                id: string;
                number: string;
                /** Format: decimal */
                amount: Decimal;
            }[];
            /** @description The likeliest first, with `suggestions=true`. */
            suggestions?: components["schemas"]["BankEntrySuggestion"][];
            counted_on: string | null;
            returned_on: string | null;
            bank_statement_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        NewPaymentByHand: {
            /**
             * Format: decimal
             * @description What arrived, be it less or more than is due. Default what is due, less the fee.
             */
            amount?: Decimal;
            /**
             * Format: decimal
             * @description What the bank kept. It counts as paid, too, in the same transaction.
             */
            fee?: Decimal;
            /** @enum {string} */
            method: "cash" | "cheque" | "bank_transfer" | "other";
            /**
             * Format: date
             * @description When the money moved, from 2000-01-01 to today in the business's zone. Default today.
             */
            value_date?: string;
            /** @description Such as the number of the cheque. */
            reference?: string;
            note?: string;
        };
        NewRepayment: {
            /**
             * Format: decimal
             * @description Default all that is over-paid.
             */
            amount?: Decimal;
            /**
             * Format: date
             * @description When the money moved, from 2000-01-01 to today in the business's zone. Default today.
             */
            value_date?: string;
            /**
             * @description Default as it was paid.
             * @enum {string}
             */
            method?: "cash" | "cheque" | "bank_transfer" | "other";
            /** @description Such as the number of the cheque. */
            reference?: string;
            note?: string;
        };
        RecurringItem: {
            id: string;
            label: string;
            /** Format: decimal */
            price: Decimal;
            currency: string;
            reference_id?: string;
            description?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            deleted_at: string | null;
        };
        RecurringBillingConfig: {
            id: string;
            /** @enum {string} */
            billing_interval: "day" | "week" | "month" | "year";
            interval_count: number;
            /** @enum {string} */
            billing_type: "anniversary" | "calendar";
            billing_month?: number;
            billing_day_of_month?: number;
            billing_proration_enabled: boolean;
            description?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            deleted_at: string | null;
        };
        NewTrial: {
            /** @description Local days from the start. Not with until. */
            days?: number;
            /**
             * @description When the trial ends. Not with days: a time as 2026-01-31T09:30:00Z (RFC 3339) or a date as 2026-01-31.
             * @example 2031-01-31T09:30:00Z
             */
            until?: string;
            /** @description Refuses the plan of a customer without an active default token. Default false. */
            token_required?: boolean;
            /**
             * @description What happens at the end if the customer has no active default token. Default cancel. pause: the first period begins at the resumption.
             * @enum {string}
             */
            without_token?: "cancel" | "pause" | "bill";
            /** @description So many local days before the end plan.trial_will_end is written. Default 3; 0: never. */
            notice_days?: number;
        };
        NewTerms: {
            /** @description The first term, which begins with the first period. An ISO 8601 duration of whole days, such as P12M. */
            minimum: string;
            /** @description How long before the end of a term a cancellation must come. Default none. An ISO 8601 duration of whole days, such as P12M. */
            notice?: string;
            /** @description The terms after the first. Default a period. An ISO 8601 duration of whole days, such as P12M. */
            renewal?: string;
        };
        /** @description Members that are left out are those of the billing settings of now. */
        NewInvoicing: {
            legal_entity_id?: string | null;
            series?: string | null;
            /** @enum {string} */
            tax?: "none" | "automatic";
            /** @enum {string} */
            collection?: "automatic" | "send_invoice";
            days_until_due?: number;
            buyer_reference?: string | null;
            purchase_order?: string | null;
        };
        NewRecurringCycle: {
            billing_count: number | null;
            /** @description The id of a billing config, or a rule such as FREQ=MONTHLY;BYMONTHDAY=1 (RFC 5545: FREQ, INTERVAL, BYMONTHDAY, BYMONTH). */
            recurring_billing_config: string;
            recurring_items: {
                quantity: number;
                recurring_item_id: string;
            }[];
            /**
             * Format: decimal
             * @description An amount, or a percentage of at most 100.
             */
            discount_amount?: Decimal;
            /**
             * @description Default fixed_amount.
             * @enum {string}
             */
            discount_type?: "fixed_amount" | "percentage";
            description?: string | null;
        };
        NewRecurringPlan: {
            name: string;
            /** @description The orders of the plan have this reference number with -1, -2, -3 and so on. */
            reference_number?: string;
            customer_uuid: string;
            /** @enum {string} */
            default_collection_method: "charge_automatically";
            /** @description All attempts of one order, the first included. */
            payment_retry_count: number;
            /** @description Local calendar days between attempts. */
            payment_retry_day_period: number;
            dunning_policy_id?: string | null;
            grace_period?: number | null;
            /**
             * Format: uri
             * @description Receives the events of the plan, its cycles and its orders.
             */
            callback_url?: string;
            /**
             * Format: uri
             * @description Where payment links of its orders send the payer.
             */
            redirect_url?: string;
            timeout?: {
                /** @description Seconds in digits, or an ISO 8601 duration. */
                timer: string;
                /**
                 * Format: uri
                 * @description Where the payment link sends the payer once the time has run out.
                 */
                url?: string;
            };
            note?: string;
            description?: string | null;
            /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
            metadata?: {
                [key: string]: string | null;
            };
            /**
             * @description When the plan starts, by default now: a time as 2026-01-31T09:30:00Z (RFC 3339) or a date as 2026-01-31.
             * @example 2031-01-31T09:30:00Z
             */
            start_date?: string;
            trial?: components["schemas"]["NewTrial"];
            terms?: components["schemas"]["NewTerms"];
            invoicing?: components["schemas"]["NewInvoicing"];
            recurring_cycles: components["schemas"]["NewRecurringCycle"][];
            /** @description Ids of coupons or promotion codes. They lower orders in this order. */
            coupons?: string[];
        };
        RecurringCycleItem: {
            id: string;
            label: string;
            /** Format: decimal */
            price: Decimal;
            currency: string;
            reference_id?: string;
            description?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            deleted_at: string | null;
            quantity: number;
        };
        RecurringCycle: {
            /** @description Left out in a preview. */
            id?: string;
            /** @enum {string} */
            state: "upcoming" | "active" | "past_due" | "paused" | "uncollectible" | "completed" | "canceled";
            recurring_plan_id: string;
            billing_count: number | null;
            billing_count_created: number;
            recurring_billing_config: components["schemas"]["RecurringBillingConfig"];
            recurring_items: components["schemas"]["RecurringCycleItem"][];
            /** Format: decimal */
            billing_amount: Decimal;
            /** Format: decimal */
            discount_amount?: Decimal;
            /** @enum {string} */
            discount_type?: "fixed_amount" | "percentage";
            previous_cycle: string | null;
            next_cycle: string | null;
            /** Format: date-time */
            estimated_start_date?: string;
            start_date: string | null;
            estimated_end_date: string | null;
            end_date: string | null;
            next_execute_time: string | null;
            description: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            deleted_at: string | null;
        };
        RecurringPlanCoupon: {
            /** @description Of the coupon. */
            id: string;
            name: string;
            percent_off: Decimal | null;
            amount_off: Decimal | null;
            currency: string | null;
            times: number | null;
            until: string | null;
            product_ids: string[] | null;
            exclusive: boolean;
            promotion_code_id: string | null;
            code: string | null;
            /** @description What counts for times. */
            periods_lowered: number;
            /** Format: date-time */
            attached_at: string;
        };
        RecurringOrder: {
            /** Format: decimal */
            amount: Decimal;
            /** Format: decimal */
            paid_total: Decimal;
            currency: string;
            order_number: string;
            reference_number: string;
            /** @enum {string} */
            state: "open" | "completed" | "refunded" | "voided" | "expired";
            /** @enum {string} */
            correspondence_state: "unpaid" | "partial_paid" | "paid" | "over_paid";
            auth_code: string;
            default_payment_token: string;
            /** @enum {string} */
            default_collection_method: "charge_automatically";
            note: string;
            redirect_url: string;
            timeout?: {
                timer: string;
                url?: string;
            };
        };
        RecurringPlan: {
            id: string;
            name: string;
            reference_number?: string;
            /** @enum {string} */
            state: "upcoming" | "active" | "past_due" | "paused" | "uncollectible" | "completed" | "canceled";
            default_payment_token?: string;
            /** @enum {string} */
            default_collection_method: "charge_automatically";
            payment_retry_count: number;
            payment_retry_day_period: number;
            dunning_policy_id?: string;
            grace_period: number | null;
            /** Format: decimal */
            credit: Decimal;
            callback_url?: string;
            redirect_url?: string;
            note?: string;
            timeout?: {
                timer: number;
                url?: string;
            };
            description: string | null;
            metadata?: {
                [key: string]: string;
            };
            /** Format: date-time */
            start_date: string;
            next_execute_time: string | null;
            /** Format: date-time */
            cancel_at?: string;
            /** @description Why the plan is to end, or has ended, where somebody said so. */
            cancellation?: {
                reason: string;
                comment?: string;
                /**
                 * @description The customer, in the portal.
                 * @enum {string}
                 */
                by: "portal";
            };
            /** @description The change that waits for the end of the period or, with `state: awaiting_payment`, until its order is paid. */
            pending_change?: {
                /** Format: date-time */
                effective_at: string;
                /** @enum {string} */
                state?: "awaiting_payment";
                order_number?: string;
                /** Format: date-time */
                until?: string;
                recurring_items: {
                    recurring_item_id: string;
                    quantity: number;
                }[];
                recurring_billing_config?: string;
                billing_count?: number | null;
            };
            /** @description Lines of changes that wait for the next order. */
            pending_lines?: {
                /** @enum {string} */
                purchasable_type: "Charge";
                label: string;
                /** Format: decimal */
                price: Decimal;
                quantity: number;
                /** Format: decimal */
                total: Decimal;
                /**
                 * @description What the line of a plan bills.
                 * @enum {string}
                 */
                kind?: "item" | "usage" | "correction" | "proration_credit" | "proration_charge" | "proration" | "discount" | "coupon" | "tax" | "balance" | "credit" | "to_credit";
                /** @description What time a line of a plan covers. */
                period?: {
                    /** Format: date-time */
                    start: string;
                    /** Format: date-time */
                    end: string;
                };
                recurring_item_id?: string;
                /** @description The quantity that the amount was computed from. */
                units?: number;
            }[];
            /** Format: date-time */
            pause_until?: string;
            trial?: {
                /** Format: date-time */
                start: string;
                /** Format: date-time */
                end: string;
                /** @enum {string} */
                state: "running" | "converted" | "canceled";
            };
            terms?: {
                minimum: string;
                notice?: string;
                renewal?: string;
            };
            invoicing?: {
                legal_entity_id: string;
                series?: string;
                /** @enum {string} */
                tax: "none" | "automatic";
                /** @enum {string} */
                collection: "automatic" | "send_invoice";
                days_until_due: number;
                buyer_reference?: string;
                purchase_order?: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            deleted_at: string | null;
            recurring_cycles: components["schemas"]["RecurringCycle"][];
            /** @description As attached. Left out until a plan gets its first coupon. */
            coupons?: components["schemas"]["RecurringPlanCoupon"][];
            customer?: {
                uuid: string;
                reference_number: string;
                name: string;
                email?: string;
                phone: string;
                /** @enum {string} */
                default_payment_method?: "Credit Card" | "WalletA Pay" | "WalletB";
            };
            current_order?: components["schemas"]["RecurringOrder"];
            current_payment_link?: string;
        };
        PlanChangeRequest: {
            recurring_items?: {
                quantity: number;
                recurring_item_id: string;
            }[];
            /** @description Prices that take the place of others, in the same quantities. */
            replace?: {
                from: string;
                to: string;
            }[];
            /** @description The id of a billing config, or a rule such as FREQ=MONTHLY;BYMONTHDAY=1 (RFC 5545: FREQ, INTERVAL, BYMONTHDAY, BYMONTH). */
            recurring_billing_config?: string;
            billing_count?: number | null;
            /**
             * @description Default now.
             * @enum {string}
             */
            at?: "now" | "period_end";
            /**
             * @description Whether the difference is billed by an order at once (default), by the next order, or not.
             * @enum {string}
             */
            proration?: "now" | "next_order" | "none";
            /**
             * @description Default day.
             * @enum {string}
             */
            proration_unit?: "day" | "second";
            /**
             * Format: date-time
             * @description The time from which the change is priced, such as 2031-03-15T09:00:00Z. Default now.
             */
            proration_date?: string;
            /** @description An upcoming cycle, which is replaced. */
            cycle_id?: string;
            /**
             * Format: decimal
             * @description The total of a preview. With another total nothing is done.
             */
            expected_total?: Decimal;
            /** @description Whether the order is charged first, and the change takes place only if it is paid. Default false. */
            only_if_paid?: boolean;
        };
        PlanChange: {
            /** @enum {string} */
            state: "applied" | "scheduled";
            /** Format: date-time */
            effective_at: string;
            proration_date: string | null;
            remaining: number | null;
            whole: number | null;
            line_items: {
                /** @enum {string} */
                purchasable_type: "Charge";
                label: string;
                /** Format: decimal */
                price: Decimal;
                quantity: number;
                /** Format: decimal */
                total: Decimal;
                /**
                 * @description What the line of a plan bills.
                 * @enum {string}
                 */
                kind?: "item" | "usage" | "correction" | "proration_credit" | "proration_charge" | "proration" | "discount" | "coupon" | "tax" | "balance" | "credit" | "to_credit";
                /** @description What time a line of a plan covers. */
                period?: {
                    /** Format: date-time */
                    start: string;
                    /** Format: date-time */
                    end: string;
                };
                recurring_item_id?: string;
                /** @description The quantity that the amount was computed from. */
                units?: number;
            }[];
            /** @description By how much unpaid orders were lowered. */
            credited: {
                order_number: string;
                /** Format: decimal */
                amount: Decimal;
            }[];
            /**
             * Format: decimal
             * @description Of the order, or of the lines that wait.
             */
            total: Decimal;
            tax: components["schemas"]["OrderTax"] | null;
            /** Format: decimal */
            credit_added: Decimal;
        };
        NewProduct: {
            name: string;
            description?: string;
            /** @description Default standard. It cannot be changed. */
            tax_category?: string;
            /** @description What one unit is called, such as seat. */
            unit_label?: string;
            /** @description Your own id, unique among objects of this kind. */
            reference_id?: string;
            /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
            metadata?: {
                [key: string]: string | null;
            };
        };
        Product: {
            id: string;
            name: string;
            description: string | null;
            tax_category: string;
            unit_label: string | null;
            /** @enum {string} */
            state: "active" | "archived";
            reference_id: string | null;
            metadata?: {
                [key: string]: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ProductEdit: {
            name?: string;
            description?: string | null;
            unit_label?: string | null;
            /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
            metadata?: {
                [key: string]: string | null;
            };
        };
        NewPriceTier: {
            up_to: Decimal | null;
            /**
             * Format: decimal
             * @description Up to 12 decimals, not negative.
             */
            unit_amount: Decimal;
            flat_amount?: Decimal | null;
        };
        NewPrice: {
            product_id: string;
            currency: string;
            /** @enum {string} */
            model: "flat" | "per_unit" | "volume" | "graduated" | "package";
            /**
             * Format: decimal
             * @description Up to 12 decimals, not negative.
             */
            unit_amount?: Decimal;
            /** @description With model package: how many units one package holds. */
            package_size?: number;
            /** @description With model volume or graduated. */
            tiers?: components["schemas"]["NewPriceTier"][];
            /** @description Of order lines. Default the product's name. */
            label?: string;
            /**
             * @description Default exclusive.
             * @enum {string}
             */
            tax_behavior?: "exclusive" | "inclusive";
            /** @description Your own id, unique among objects of this kind. */
            reference_id?: string;
            /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
            metadata?: {
                [key: string]: string | null;
            };
        };
        Price: {
            id: string;
            product_id: string | null;
            label: string;
            currency: string;
            /** @enum {string} */
            model: "flat" | "per_unit" | "volume" | "graduated" | "package";
            unit_amount: Decimal | null;
            package_size: number | null;
            tiers: {
                up_to: Decimal | null;
                /** Format: decimal */
                unit_amount: Decimal;
                flat_amount: Decimal | null;
            }[] | null;
            /** @enum {string} */
            tax_behavior: "exclusive" | "inclusive";
            version: number;
            /** @enum {string} */
            state: "active" | "superseded";
            superseded_by: string | null;
            reference_id: string | null;
            metadata?: {
                [key: string]: string;
            };
            /** Format: date-time */
            created_at: string;
        };
        NewPriceVersion: {
            /** @enum {string} */
            model?: "flat" | "per_unit" | "volume" | "graduated" | "package";
            /**
             * Format: decimal
             * @description Up to 12 decimals, not negative.
             */
            unit_amount?: Decimal;
            /** @description With model package: how many units one package holds. */
            package_size?: number;
            /** @description With model volume or graduated. */
            tiers?: components["schemas"]["NewPriceTier"][];
            /** @description Of order lines. Default the product's name. */
            label?: string;
            /**
             * @description Default exclusive.
             * @enum {string}
             */
            tax_behavior?: "exclusive" | "inclusive";
            /** @description Your own id, unique among objects of this kind. */
            reference_id?: string;
            /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
            metadata?: {
                [key: string]: string | null;
            };
        };
        NewCoupon: {
            /** @description The label of its lines. */
            name: string;
            /**
             * Format: decimal
             * @description Above 0, at most 100, up to 6 decimals.
             */
            percent_off?: Decimal;
            /**
             * Format: decimal
             * @description Instead of percent_off, with currency.
             */
            amount_off?: Decimal;
            /** @description Of amount_off, or of minimum_amount beside percent_off. */
            currency?: string;
            /** @description How many periods of a plan it lowers. Without times and until: all. */
            times?: number;
            /**
             * @description It lowers orders before this time; not with times: a time as 2026-01-31T09:30:00Z (RFC 3339) or a date as 2026-01-31.
             * @example 2031-01-31T09:30:00Z
             */
            until?: string;
            /** @description It lowers only the lines of these products. */
            product_ids?: string[];
            /** @description Only their plans can have it. */
            customer_uuids?: string[];
            /** @description It stands beside no other coupon. Default false. */
            exclusive?: boolean;
            /** @description How often it can be attached to a plan. */
            max_redemptions?: number;
            /**
             * @description Until when it can be attached to a plan: a time as 2026-01-31T09:30:00Z (RFC 3339) or a date as 2026-01-31.
             * @example 2031-01-31T09:30:00Z
             */
            redeem_until?: string;
            /**
             * Format: decimal
             * @description What a whole period must come to after the cycle's discount. Needs currency.
             */
            minimum_amount?: Decimal;
            /** @description Only while the customer has no order under any plan. Default false. */
            first_order_only?: boolean;
            /** @description Your own id, unique among objects of this kind. */
            reference_id?: string;
            /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
            metadata?: {
                [key: string]: string | null;
            };
        };
        Coupon: {
            id: string;
            name: string;
            percent_off: Decimal | null;
            amount_off: Decimal | null;
            currency: string | null;
            times: number | null;
            until: string | null;
            product_ids: string[] | null;
            exclusive: boolean;
            customer_uuids: string[] | null;
            minimum_amount: Decimal | null;
            first_order_only: boolean;
            max_redemptions: number | null;
            redeem_until: string | null;
            /** @description Attachments to plans, those that have ended included. */
            redemptions: number;
            /**
             * @description Whether it can be redeemed now.
             * @enum {string}
             */
            state: "active" | "expired" | "exhausted";
            reference_id: string | null;
            metadata?: {
                [key: string]: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CouponEdit: {
            /** @description The label of its lines. */
            name?: string;
            max_redemptions?: number | null;
            redeem_until?: string | null;
        };
        NewPromotionCode: {
            coupon_id: string;
            /** @description What customers type. Case is ignored. */
            code: string;
            /** @description How often it can be attached to a plan. */
            max_redemptions?: number;
            /**
             * @description Until when it can be attached to a plan: a time as 2026-01-31T09:30:00Z (RFC 3339) or a date as 2026-01-31.
             * @example 2031-01-31T09:30:00Z
             */
            redeem_until?: string;
            /** @description Only plans of this customer can take it. */
            customer_uuid?: string;
            /** @description Your own id, unique among objects of this kind. */
            reference_id?: string;
            /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
            metadata?: {
                [key: string]: string | null;
            };
        };
        PromotionCode: {
            id: string;
            coupon_id: string;
            code: string;
            customer_uuid: string | null;
            max_redemptions: number | null;
            redeem_until: string | null;
            /** @description Attachments to plans, those that have ended included. */
            redemptions: number;
            /**
             * @description Whether it can be redeemed now.
             * @enum {string}
             */
            state: "active" | "expired" | "exhausted";
            reference_id: string | null;
            metadata?: {
                [key: string]: string;
            };
            /** Format: date-time */
            created_at: string;
        };
        NewDunningStep: {
            /** @description Local days from the creation of the order. Without days_of_month. */
            after_days?: number;
            /** @description The next of these days. In a shorter month 29 to 31 are its last day. */
            days_of_month?: number[];
            /** @description With days_of_month: at least so many days after the attempt before. Default 1. */
            min_days?: number;
            /** @description Local time of day. Default the plan's. */
            at_time?: string;
        };
        NewSoftSteps: {
            decline_codes: string[];
            /** @description 1 to 99, in order. */
            steps: components["schemas"]["NewDunningStep"][];
        };
        NewDunningPolicy: {
            name: string;
            /** @description 1 to 99, in order. */
            steps: components["schemas"]["NewDunningStep"][];
            /** @description Other steps after a decline with one of the codes. */
            soft?: components["schemas"]["NewSoftSteps"][];
            /**
             * @description After a hard decline, or without a token: wait (default) makes no attempt until another token is default, step follows the steps.
             * @enum {string}
             */
            hard?: "wait" | "step";
            /**
             * @description When another token becomes default: retry (default) makes the next attempt of a past-due order at once, wait leaves its time.
             * @enum {string}
             */
            new_token?: "retry" | "wait";
            /**
             * @description What becomes of the plan after the last step. Default uncollectible.
             * @enum {string}
             */
            exhausted?: "uncollectible" | "cancel";
            /** @description Days after the due date with a reminder, in order. */
            reminders?: number[];
            /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
            metadata?: {
                [key: string]: string | null;
            };
            /** @description Your own id, unique among objects of this kind. */
            reference_id?: string;
        };
        DunningStep: {
            after_days?: number;
            days_of_month?: number[];
            min_days?: number;
            at_time?: string;
        };
        DunningPolicy: {
            id: string;
            name: string;
            steps: components["schemas"]["DunningStep"][];
            soft: {
                decline_codes: string[];
                steps: components["schemas"]["DunningStep"][];
            }[];
            /** @enum {string} */
            hard: "wait" | "step";
            /** @enum {string} */
            new_token: "retry" | "wait";
            /** @enum {string} */
            exhausted: "uncollectible" | "cancel";
            reminders: number[];
            reference_id: string | null;
            metadata?: {
                [key: string]: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        DunningPolicyEdit: {
            name?: string;
            /** @description 1 to 99, in order. */
            steps?: components["schemas"]["NewDunningStep"][];
            /** @description Other steps after a decline with one of the codes. */
            soft?: components["schemas"]["NewSoftSteps"][];
            /**
             * @description After a hard decline, or without a token: wait (default) makes no attempt until another token is default, step follows the steps.
             * @enum {string}
             */
            hard?: "wait" | "step";
            /**
             * @description When another token becomes default: retry (default) makes the next attempt of a past-due order at once, wait leaves its time.
             * @enum {string}
             */
            new_token?: "retry" | "wait";
            /**
             * @description What becomes of the plan after the last step. Default uncollectible.
             * @enum {string}
             */
            exhausted?: "uncollectible" | "cancel";
            /** @description Days after the due date with a reminder, in order. */
            reminders?: number[];
            /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
            metadata?: {
                [key: string]: string | null;
            };
        };
        MessageSettings: {
            enabled: ("receipt" | "invoice" | "credit_note" | "payment_failed" | "payment_reminder" | "plan_canceled" | "trial_ending" | "renewal_ahead" | "portal_link" | "card_expiring" | "usage_alert" | "balance_low")[];
            reply_to: string | null;
            language: string | null;
            renewal_days: number;
            deliver_in_test: boolean;
            bcc: string | null;
            join_receipt: boolean;
            message_days: number;
        };
        MessageSettingsEdit: {
            /** @description The kinds that are made; replaces the list. By default none. */
            enabled?: ("receipt" | "invoice" | "credit_note" | "payment_failed" | "payment_reminder" | "plan_canceled" | "trial_ending" | "renewal_ahead" | "portal_link" | "card_expiring" | "usage_alert" | "balance_low")[];
            reply_to?: string | null;
            language?: ("ar" | "de" | "en" | "es" | "fr" | "id" | "ja" | "ko" | "ms" | "pt" | "th" | "vi" | "zh-Hans" | "zh-Hant") | null;
            /** @description How many days before a period of half a year or more renews. Default 14. */
            renewal_days?: number;
            /** @description Whether a test environment sends messages. Default: it keeps them. */
            deliver_in_test?: boolean;
            bcc?: string | null;
            /** @description Whether the invoice and the receipt of one payment are one message. */
            join_receipt?: boolean;
            /** @description For how many days messages are kept. Default 400. */
            message_days?: number;
        };
        Message: {
            id: string;
            /** @enum {string} */
            kind: "receipt" | "invoice" | "credit_note" | "payment_failed" | "payment_reminder" | "plan_canceled" | "trial_ending" | "renewal_ahead" | "portal_link" | "card_expiring" | "usage_alert" | "balance_low";
            /** @enum {string} */
            state: "queued" | "sent" | "failed" | "kept" | "dropped" | "suppressed" | "bounced" | "complained";
            to: string | null;
            language: string;
            subject: string | null;
            html: string | null;
            text: string | null;
            attachments: {
                name: string;
                content_type: string;
                size: number;
            }[];
            /** @description The number of the order, or the id of the document, plan or token that it is about. */
            object_id: string;
            customer_uuid: string;
            /** @description The value of the header Message-ID. */
            message_id: string;
            attempts: number;
            /** @description What the mail server last said. */
            error?: string;
            /** @description The message that it repeats. */
            resent_from?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            sent_at?: string;
        };
        NewBounce: {
            /** @description The value of the header Message-ID. */
            message_id?: string;
            /** @description Instead of a message: only suppresses the address. */
            address?: string;
            /**
             * @description hard suppresses the address, complaint the optional kinds, soft nothing.
             * @enum {string}
             */
            kind: "hard" | "soft" | "complaint";
        };
        Bounce: {
            message_id: string | null;
            address: string | null;
            /** @enum {string} */
            kind: "hard" | "soft" | "complaint";
        };
        MessageTemplate: {
            /** @enum {string} */
            kind: "receipt" | "invoice" | "credit_note" | "payment_failed" | "payment_reminder" | "plan_canceled" | "trial_ending" | "renewal_ahead" | "portal_link" | "card_expiring" | "usage_alert" | "balance_low";
            language: string;
            subject: string | null;
            intro: string | null;
            outro: string | null;
        };
        MessageTemplateEdit: {
            subject?: string | null;
            intro?: string | null;
            outro?: string | null;
        };
        MessagePreview: {
            subject: string;
            html: string;
            text: string;
        };
        MessageTest: {
            /** @description The address of the user who asked for it. */
            to: string;
        };
        Suppression: {
            /** @description In lower case. */
            address: string;
            /** @enum {string} */
            kind: "unsubscribe" | "complaint" | "hard";
            /** Format: date-time */
            created_at: string;
        };
        NewCardLimit: {
            /** @enum {string} */
            period: "Transaction" | "Daily" | "Monthly" | "Lifetime";
            /** @description At most 100000000000, with no more decimals than the currency has. */
            limit_amount: string;
            /** @enum {string} */
            status?: "Active" | "Inactive";
        };
        /** @description An edit replaces all of them. */
        SpendingControls: {
            /** @description At least one. If left out, everything is allowed. */
            allowed_categories?: string[];
            blocked_categories?: string[];
            /** @description At least one. If left out, everything is allowed. */
            allowed_countries?: components["schemas"]["Country"][];
            blocked_countries?: components["schemas"]["Country"][];
            /** @description At most one of each period. */
            count_limits?: {
                /** @enum {string} */
                period: "Daily" | "Monthly" | "Lifetime";
                /** @description The maximum number of approvals in the period. Fully reversed authorizations do not count. */
                count: number;
            }[];
            /** @description Whether the card allows one approval only. */
            single_use?: boolean;
        };
        CardLimit: {
            id: string;
            /** @enum {string} */
            period: "Transaction" | "Daily" | "Monthly" | "Lifetime";
            limit_amount: string;
            /** @description What is held and captured in the current window. */
            used_amount: string;
            /** @enum {string} */
            status: "Active" | "Inactive";
        };
        Card: {
            id: string;
            title: string;
            /** @enum {string} */
            type: "virtual" | "physical";
            /** @enum {string} */
            mode: "B2C" | "B2B";
            /** @enum {string} */
            status: "Inactive" | "Active" | "Locked" | "Suspended" | "Terminated" | "Expired";
            /** @enum {string} */
            physical_status: "Idle" | "Ordered" | "Active" | "Locked" | "Suspended" | "Terminated";
            status_remark?: string;
            settlement_currency: string;
            first_6_digits: string;
            last_4_digits: string;
            issuer_brand: string;
            reference_id: string;
            p_user_id?: string;
            business_name: string;
            /** Format: date-time */
            p_created_at: string;
            /** @description MM/YYYY */
            expiration_date: string;
            time_zone: string;
            spending_controls: components["schemas"]["SpendingControls"];
            funding_wallet_id?: string;
            metadata?: {
                [key: string]: string;
            };
            limits: components["schemas"]["CardLimit"][];
        };
        LinkedCard: {
            id: string;
            /** @description Present when the mode is B2C. */
            p_user_id?: string;
            title: string;
            /** @enum {string} */
            type: "virtual" | "physical";
            /** @description MM/YYYY */
            expiration_date: string;
            settlement_currency: string;
            first_6_digits: string;
            last_4_digits: string;
            /** @enum {string} */
            status: "Inactive" | "Active" | "Locked" | "Suspended" | "Terminated" | "Expired";
            /** @description Masked, or a JWE to the app's encryption key. */
            pan: string;
            issuer_brand: string;
            is_encrypt: boolean;
            reference_id: string;
            business_name: string;
            metadata?: {
                [key: string]: string;
            };
        };
        CardLimitChange: {
            id: string;
            remark: string;
            /** @description The limit id. */
            card_limit: string;
            limit_amount: string;
            /**
             * Format: date-time
             * @description When it was changed.
             */
            p_created_at: string;
        };
        CardAuthorization: {
            uuid: string;
            card_id: string;
            /** @enum {string} */
            state: "pending" | "captured" | "refunded" | "reversed" | "expired" | "declined";
            approved: boolean;
            /** @enum {string} */
            decline_reason?: "card_expired" | "card_not_active" | "currency_not_supported" | "merchant_category_blocked" | "country_blocked" | "single_use_spent" | "count_exceeded_daily" | "count_exceeded_monthly" | "count_exceeded_lifetime" | "limit_exceeded_transaction" | "limit_exceeded_daily" | "limit_exceeded_monthly" | "limit_exceeded_lifetime" | "insufficient_funds" | "hook_declined" | "hook_timeout" | "hook_error";
            /** @description What was authorized. It never changes. */
            amount: string;
            held_amount: string;
            captured_amount: string;
            refunded_amount: string;
            currency: string;
            merchant: {
                name: string;
                mcc: string;
                country: string;
            };
            reference_id: string;
            /** Format: date-time */
            p_created_at: string;
        };
        DecisionHook: {
            url: string;
            timeout_ms: number;
            /** @enum {string} */
            on_silence: "approve" | "decline";
            /** @description whsec_…, shown once. */
            secret?: string;
        };
        DigitalWallet: {
            id: string;
            p_user_id: string;
            addresses: {
                blockchain: string;
                address: string;
            }[];
            balances: {
                currency: string;
                /** @description Total, held money included. */
                amount: string;
                available_amount: string;
                /** @description Held by card authorizations. */
                held_amount: string;
            }[];
            /** Format: date-time */
            p_created_at: string;
        };
        WalletTransaction: {
            id: string;
            wallet_id: string;
            blockchain: string;
            block_hash: string;
            block_number: number;
            transaction_hash: string;
            /** @description Empty for the native coin. */
            contract_address: string;
            source_address: string;
            destination_address: string;
            currency: string;
            /** @description All decimals of the token, at least 2. */
            amount: string;
            amount_in_usd: string;
            /** @description Owed in US dollars; the deposit is credited in full. */
            calculated_fee: string;
            /** @enum {string} */
            state: "pending" | "confirmed" | "reorged";
            /**
             * Format: date-time
             * @description Time of the block.
             */
            p_created_at: string;
        };
        WalletFeeRule: {
            /** @description US dollars. */
            fixed_fee: string;
            percentage_fee: string;
            user_id?: string;
            business_id?: string;
        };
        OrderInEvent: {
            /** @enum {string} */
            source: "api" | "recurring" | "payment_link";
            /** @enum {string} */
            type: "one_off" | "recurring";
            number: string;
            reference_number: string;
            due_date: string | null;
            /** Format: decimal */
            initial_total: Decimal;
            /** Format: decimal */
            initial_tips: Decimal;
            /** Format: decimal */
            subtotal: Decimal;
            /** @description The sum of the successful Sales, Captures and Refunds, as a decimal string. */
            paid_total: string;
            /** @description initial_total − paid_total. Negative when over-paid. */
            unpaid_total: string;
            /** @description The sum of the successful Refunds, above zero. */
            refunded_total: string;
            /** @description Whether the order can be voided now. */
            allow_void: boolean;
            /** @description What the payer still owes: unpaid_total while the order can be paid, else zero. */
            amount_due: string;
            /** @enum {string} */
            state: "open" | "completed" | "refunded" | "voided" | "expired";
            /** @enum {string} */
            correspondence_state: "unpaid" | "partial_paid" | "paid" | "over_paid";
            currency: string;
            return_url?: string;
            notify_url?: string;
            customer_uuid?: string;
            /** @description The plan that made the order. */
            plan_id?: string;
            /** @description Of orders of plans, and of orders with an invoice. */
            billing?: {
                /**
                 * @description Why the plan made the order.
                 * @enum {string}
                 */
                kind?: "period" | "change" | "usage" | "closing" | "top_up";
                tax: components["schemas"]["OrderTax"] | null;
                /**
                 * Format: decimal
                 * @description By how much changes of the plan and credit notes lowered what is to be paid.
                 */
                credited_total: Decimal;
                /**
                 * Format: decimal
                 * @description What was given up, if anything was.
                 */
                written_off?: Decimal;
                /**
                 * Format: decimal
                 * @description What of an overpayment became credit of a plan, if anything did.
                 */
                moved_to_credit?: Decimal;
                invoice_id?: string;
                invoice_number?: string;
            };
            /** @description What the plan carried when it made the order. */
            plan_metadata?: {
                [key: string]: string;
            };
            metadata?: {
                [key: string]: string;
            };
            timeout?: {
                timer: string;
                url?: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            line_items: components["schemas"]["LineItem"][] | null;
            transactions: components["schemas"]["Transaction"][];
            /**
             * @description The order has more than 20 transactions: `transactions` holds those that changed, at most 20.
             * @constant
             */
            transactions_truncated?: true;
            /** @description POST `order.number` to this path to read all transactions. */
            transactions_url?: string;
        };
        ErasedCustomer: {
            uuid: string;
            /** Format: date-time */
            erased_at: string;
        };
        PaymentTokenOfEvent: {
            /** @enum {string} */
            token_type: "CreditCard" | "WalletAPayAutoDebit" | "WalletBAutoDebit";
            token: string;
            /** @enum {string} */
            state: "pending" | "active" | "failed" | "expired" | "deleted";
            default: boolean;
            verify_url: string | null;
            verify_uuid: string;
            error_code?: string;
            error_msg?: string;
            credit_card?: {
                /** @description Masked: 424242******4242. */
                number: string;
                exp_month: string;
                exp_year: string;
                holder_name: string;
                brand: string;
                billing_currency: string;
            };
            /** @description The real wallet of an agreement. */
            wallet?: {
                /** @enum {string} */
                name: "wechat_pay" | "alipay" | "alipay_hk";
                /** @description The payer's account there, masked. */
                account?: string;
            };
            /** @description The acquirer account that has the card or the agreement. */
            acquirer_account_id?: string;
            /** Format: date-time */
            created_at: string;
            customer_uuid: string;
        };
        MessageOfEvent: {
            id: string;
            /** @enum {string} */
            kind: "receipt" | "invoice" | "credit_note" | "payment_failed" | "payment_reminder" | "plan_canceled" | "trial_ending" | "renewal_ahead" | "portal_link" | "card_expiring" | "usage_alert" | "balance_low";
            /** @enum {string} */
            state: "queued" | "sent" | "failed" | "kept" | "dropped" | "suppressed" | "bounced" | "complained";
            to: string | null;
            language: string;
            /** @description The number of the order, or the id of the document, plan or token that it is about. */
            object_id: string;
            customer_uuid: string;
            /** @description The value of the header Message-ID. */
            message_id: string;
            attempts: number;
            /** @description What the mail server last said. */
            error?: string;
            /** @description The message that it repeats. */
            resent_from?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            sent_at?: string;
        };
        Event: {
            id: string;
            /** @enum {string} */
            type: "order.created" | "order.updated" | "order.paid" | "order.voided" | "order.expired" | "order.refunded" | "transaction.succeeded" | "transaction.failed" | "transaction.pending" | "transaction.voided" | "transaction.resolved" | "dispute.opened" | "dispute.updated" | "dispute.won" | "dispute.lost" | "dispute.closed" | "dispute.evidence_submitted" | "invoice.issued" | "invoice.paid" | "invoice.credited" | "invoice.overdue" | "invoice.uncollectible" | "credit_note.issued" | "bank_entry.matched" | "bank_entry.unmatched" | "plan.created" | "plan.updated" | "plan.paused" | "plan.resumed" | "plan.canceled" | "plan.changed" | "plan.change_scheduled" | "plan.change_removed" | "plan.trial_will_end" | "plan.trial_ended" | "plan.reactivated" | "plan.coupon_attached" | "plan.coupon_detached" | "cycle.activated" | "cycle.past_due" | "cycle.uncollectible" | "cycle.completed" | "product.created" | "product.updated" | "product.archived" | "price.created" | "price.superseded" | "dunning_policy.created" | "dunning_policy.updated" | "coupon.created" | "coupon.updated" | "customer.erased" | "payment_token.active" | "payment_token.failed" | "payment_token.expiring" | "payment_token.deleted" | "tax_rate.created" | "message.sent" | "message.failed" | "message.bounced" | "message.complained" | "card.linked" | "card.status_changed" | "card.limit_changed" | "card.authorization.approved" | "card.authorization.declined" | "wallet.transaction.pending" | "wallet.transaction.confirmed" | "wallet.transaction.reorged";
            /** Format: date-time */
            timestamp: string;
            /** @description 1, 2, 3 … per object, without gaps. */
            sequence: number;
            object_id: string;
            /** @description The object under its resource's name, as responses show it. Empty when the stored document is damaged or was dropped (EVENT_DAYS). */
            data: {
                order: components["schemas"]["OrderInEvent"];
            } | {
                order: components["schemas"]["OrderInEvent"];
                transaction: components["schemas"]["Transaction"];
            } | {
                dispute: components["schemas"]["Dispute"];
            } | {
                invoice: components["schemas"]["Invoice"];
            } | {
                credit_note: components["schemas"]["Invoice"];
            } | {
                bank_entry: components["schemas"]["BankEntry"];
            } | {
                plan: components["schemas"]["RecurringPlan"];
            } | {
                plan: components["schemas"]["RecurringPlan"];
                recurring_cycle: components["schemas"]["RecurringCycle"];
            } | {
                product: components["schemas"]["Product"];
            } | {
                price: components["schemas"]["Price"];
            } | {
                dunning_policy: components["schemas"]["DunningPolicy"];
            } | {
                coupon: components["schemas"]["Coupon"];
            } | {
                customer: components["schemas"]["ErasedCustomer"];
            } | {
                payment_token: components["schemas"]["PaymentTokenOfEvent"];
            } | {
                tax_rate: components["schemas"]["TaxRate"];
            } | {
                message: components["schemas"]["MessageOfEvent"];
            } | {
                card: components["schemas"]["Card"];
            } | {
                authorization: components["schemas"]["CardAuthorization"];
            } | {
                wallet_transaction: components["schemas"]["WalletTransaction"];
            } | Record<string, never>;
        };
        WebhookEndpointWithSecret: {
            id: string;
            url: string;
            /** @description Empty means all types. */
            types: ("order.created" | "order.updated" | "order.paid" | "order.voided" | "order.expired" | "order.refunded" | "transaction.succeeded" | "transaction.failed" | "transaction.pending" | "transaction.voided" | "transaction.resolved" | "dispute.opened" | "dispute.updated" | "dispute.won" | "dispute.lost" | "dispute.closed" | "dispute.evidence_submitted" | "invoice.issued" | "invoice.paid" | "invoice.credited" | "invoice.overdue" | "invoice.uncollectible" | "credit_note.issued" | "bank_entry.matched" | "bank_entry.unmatched" | "plan.created" | "plan.updated" | "plan.paused" | "plan.resumed" | "plan.canceled" | "plan.changed" | "plan.change_scheduled" | "plan.change_removed" | "plan.trial_will_end" | "plan.trial_ended" | "plan.reactivated" | "plan.coupon_attached" | "plan.coupon_detached" | "cycle.activated" | "cycle.past_due" | "cycle.uncollectible" | "cycle.completed" | "product.created" | "product.updated" | "product.archived" | "price.created" | "price.superseded" | "dunning_policy.created" | "dunning_policy.updated" | "coupon.created" | "coupon.updated" | "customer.erased" | "payment_token.active" | "payment_token.failed" | "payment_token.expiring" | "payment_token.deleted" | "tax_rate.created" | "message.sent" | "message.failed" | "message.bounced" | "message.complained" | "card.linked" | "card.status_changed" | "card.limit_changed" | "card.authorization.approved" | "card.authorization.declined" | "wallet.transaction.pending" | "wallet.transaction.confirmed" | "wallet.transaction.reorged")[];
            /**
             * @description `disabled` after the receiver answered 410 Gone.
             * @enum {string}
             */
            state: "active" | "disabled" | "deleted";
            /** Format: date-time */
            created_at: string;
            /** @description Signing secret (Standard Webhooks, whsec_…). Shown only in this response. */
            secret: string;
        };
        WebhookEndpoint: {
            id: string;
            url: string;
            /** @description Empty means all types. */
            types: ("order.created" | "order.updated" | "order.paid" | "order.voided" | "order.expired" | "order.refunded" | "transaction.succeeded" | "transaction.failed" | "transaction.pending" | "transaction.voided" | "transaction.resolved" | "dispute.opened" | "dispute.updated" | "dispute.won" | "dispute.lost" | "dispute.closed" | "dispute.evidence_submitted" | "invoice.issued" | "invoice.paid" | "invoice.credited" | "invoice.overdue" | "invoice.uncollectible" | "credit_note.issued" | "bank_entry.matched" | "bank_entry.unmatched" | "plan.created" | "plan.updated" | "plan.paused" | "plan.resumed" | "plan.canceled" | "plan.changed" | "plan.change_scheduled" | "plan.change_removed" | "plan.trial_will_end" | "plan.trial_ended" | "plan.reactivated" | "plan.coupon_attached" | "plan.coupon_detached" | "cycle.activated" | "cycle.past_due" | "cycle.uncollectible" | "cycle.completed" | "product.created" | "product.updated" | "product.archived" | "price.created" | "price.superseded" | "dunning_policy.created" | "dunning_policy.updated" | "coupon.created" | "coupon.updated" | "customer.erased" | "payment_token.active" | "payment_token.failed" | "payment_token.expiring" | "payment_token.deleted" | "tax_rate.created" | "message.sent" | "message.failed" | "message.bounced" | "message.complained" | "card.linked" | "card.status_changed" | "card.limit_changed" | "card.authorization.approved" | "card.authorization.declined" | "wallet.transaction.pending" | "wallet.transaction.confirmed" | "wallet.transaction.reorged")[];
            /**
             * @description `disabled` after the receiver answered 410 Gone.
             * @enum {string}
             */
            state: "active" | "disabled" | "deleted";
            /** Format: date-time */
            created_at: string;
        };
        DeliveryAttempt: {
            /** Format: date-time */
            at: string;
            status: number | null;
            /** @description timeout, connection_refused, redirect_refused, … */
            error?: string;
            duration_ms: number;
            /** @description The signed timestamp in seconds since the epoch, on the real clock. */
            webhook_timestamp?: number;
            /** @description The beginning of the response, redacted. */
            answer?: string;
        };
        Delivery: {
            id: string;
            event_id: string;
            /** @enum {string} */
            event_type: "order.created" | "order.updated" | "order.paid" | "order.voided" | "order.expired" | "order.refunded" | "transaction.succeeded" | "transaction.failed" | "transaction.pending" | "transaction.voided" | "transaction.resolved" | "dispute.opened" | "dispute.updated" | "dispute.won" | "dispute.lost" | "dispute.closed" | "dispute.evidence_submitted" | "invoice.issued" | "invoice.paid" | "invoice.credited" | "invoice.overdue" | "invoice.uncollectible" | "credit_note.issued" | "bank_entry.matched" | "bank_entry.unmatched" | "plan.created" | "plan.updated" | "plan.paused" | "plan.resumed" | "plan.canceled" | "plan.changed" | "plan.change_scheduled" | "plan.change_removed" | "plan.trial_will_end" | "plan.trial_ended" | "plan.reactivated" | "plan.coupon_attached" | "plan.coupon_detached" | "cycle.activated" | "cycle.past_due" | "cycle.uncollectible" | "cycle.completed" | "product.created" | "product.updated" | "product.archived" | "price.created" | "price.superseded" | "dunning_policy.created" | "dunning_policy.updated" | "coupon.created" | "coupon.updated" | "customer.erased" | "payment_token.active" | "payment_token.failed" | "payment_token.expiring" | "payment_token.deleted" | "tax_rate.created" | "message.sent" | "message.failed" | "message.bounced" | "message.complained" | "card.linked" | "card.status_changed" | "card.limit_changed" | "card.authorization.approved" | "card.authorization.declined" | "wallet.transaction.pending" | "wallet.transaction.confirmed" | "wallet.transaction.reorged";
            /** @description The object of the event. */
            object_id: string;
            url: string;
            endpoint_id?: string;
            /** @enum {string} */
            state: "pending" | "delivered" | "exhausted";
            request: {
                method: string;
                url: string;
                /** @description Without the signature. */
                headers: {
                    [key: string]: string;
                };
                /** @description The beginning of the body, redacted. */
                body: string;
            } | null;
            attempts: components["schemas"]["DeliveryAttempt"][];
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description On the real clock.
             */
            created_at: string;
        };
        LoggedRequest: {
            /** @description Callers may choose it, so several requests may have the same. */
            request_id: string;
            method: string;
            path: string;
            query: string;
            /** @description The pattern of the path, such as `/svc/…/customers/:id`. */
            route: string;
            status: number;
            reason: string | null;
            duration_ms: number;
            actor: {
                type: string;
                id: string;
            };
            app_id: string;
            ip_address: string;
            user_agent: string | null;
            idempotency_key: string | null;
            idempotent_replayed: boolean;
            /** @description The first ten ids that the request names, and the reply where the request changed something. */
            object_ids: string[];
            /**
             * Format: date-time
             * @description When it arrived, on the real clock.
             */
            created_at: string;
        };
        LoggedRequestWithBodies: {
            /** @description Callers may choose it, so several requests may have the same. */
            request_id: string;
            method: string;
            path: string;
            query: string;
            /** @description The pattern of the path, such as `/svc/…/customers/:id`. */
            route: string;
            status: number;
            reason: string | null;
            duration_ms: number;
            actor: {
                type: string;
                id: string;
            };
            app_id: string;
            ip_address: string;
            user_agent: string | null;
            idempotency_key: string | null;
            idempotent_replayed: boolean;
            /** @description The first ten ids that the request names, and the reply where the request changed something. */
            object_ids: string[];
            /**
             * Format: date-time
             * @description When it arrived, on the real clock.
             */
            created_at: string;
            request_body: string | null;
            response_body: string | null;
        };
        AuditEntry: {
            id: string;
            /** @description The place of the entry in the chain of the tenant. */
            sequence: number;
            hash: string;
            /**
             * @description `started`: under way, or cut off before its end was recorded.
             * @enum {string}
             */
            state: "started" | "completed" | "refused" | "failed";
            actor: {
                type: string;
                id: string;
            };
            /** @description Such as `orders.void`. */
            action: string;
            object: {
                type: string;
                id: string | null;
            } | null;
            ip_address: string | null;
            user_agent: string | null;
            origin: string | null;
            request_id: string | null;
            status: number | null;
            reason: string | null;
            /** @description What was sent, without secrets. */
            request: unknown;
            /** @description The object before, where an operation shows it; else null. */
            before: unknown;
            /** @description The reply, without secrets. */
            after: unknown;
            /** Format: date-time */
            started_at: string;
            /**
             * Format: date-time
             * @description When the entry was recorded, on the real clock.
             */
            created_at: string;
        };
        SearchResult: {
            /** @enum {string} */
            type: "order" | "transaction" | "customer" | "plan" | "invoice" | "card" | "payment_token" | "wallet" | "dispute" | "request";
            id: string;
            parent_id: string | null;
            title: string;
            subtitle: string | null;
            reference: string | null;
            customer: {
                uuid: string;
                name: string;
            } | null;
            amount: string | null;
            currency: string | null;
            state: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * @description Whether an identifier is the text, begins with it, or has a word with a typing error.
             * @enum {string}
             */
            match: "exact" | "prefix" | "similar";
        };
        PastEntry: {
            /** Format: date-time */
            at: string;
            /** @description The type of the event, or transaction.sent, acquirer.notice, outcome.decided, customer.note. */
            kind: string;
            /** @description An English sentence for people. */
            text: string;
            /** @description The order, plan, dispute, invoice or credit note. */
            object_id: string;
            event_id: string | null;
            request_id: string | null;
            actor_id: string | null;
            actor_name: string | null;
            transaction_uuid: string | null;
            acquirer: {
                name: string;
                account_id: string | null;
                reference: string | null;
                resp_code: string | null;
                decline_code: string | null;
            } | null;
            deliveries: {
                id: string;
                endpoint_id: string | null;
                /** @enum {string} */
                state: "pending" | "delivered" | "exhausted";
                response_status: number | null;
            }[];
            /** @description What the event said, as far as it has these. */
            details: {
                order_number?: string;
                /** @description Of an invoice or a credit note. */
                document_number?: string;
                /** @description Of a message: the order, document, plan or token. */
                about?: string;
                /** Format: decimal */
                amount?: Decimal;
                currency?: string;
                state?: string;
                transaction_type?: string;
                /**
                 * @description Of a transaction that ended otherwise than its kind of entry usually does.
                 * @enum {string}
                 */
                cause?: "failed_later" | "void_failed" | "expired";
                /** @description The acquirer's words. */
                message?: string;
                note?: string;
                /** @description Of a dispute or a credit note. */
                reason?: string;
                /** @description Of `plan.changed`: what the plan bills now, such as `2 × Gold (177.00 HKD)`. Of `cycle.activated` and `cycle.completed`: what the cycle bills. */
                billed?: string;
                /** @description What it billed before, where that is known. */
                billed_before?: string;
                notice_id?: string;
                notice_type?: string;
            };
        };
        NextEntry: {
            at: string | null;
            kind: string;
            /** @description An English sentence for people. */
            text: string;
            /** @description Why it will happen, as an English sentence. */
            reason: string;
            /**
             * @description The same as a stable word. It stands for one `text` and one `reason`.
             * @enum {string}
             */
            reason_code: "timer" | "timer_and_payment_under_way" | "authorization_period" | "acquirer_did_not_answer" | "acquirer_may_forget" | "payer_has_not_confirmed" | "payer_time_limit" | "order_was_closed" | "grace_ended" | "payments_reversed_first" | "voidable_until_then" | "evidence_missing" | "next_period" | "next_period_without_end" | "billing_count_reached" | "last_billing_count_reached" | "canceled_at_period_end" | "change_scheduled" | "not_charged_yet" | "attempt_failed" | "attempt_without_outcome" | "no_attempt_left" | "no_attempt_left_then_voided" | "no_attempt_left_then_canceled" | "another_token_needed" | "grace_period_ends" | "other_operation_under_way" | "paused" | "pause_ends" | "trial_ends" | "trial_ends_or_cancels" | "trial_ends_or_pauses" | "attempts_failed" | "voided_after_last_attempt" | "invoice_due" | "renewal_announced" | "payment_reminded";
            object_id: string | null;
            actor_id: string | null;
            actor_name: string | null;
            transaction_uuid: string | null;
            attempt: number | null;
            attempts_total: number | null;
            amount: Decimal | null;
            currency: string | null;
            /** @description The values that `text` and `reason` name. */
            details: {
                /**
                 * @description What is asked for or sent, about `amount`.
                 * @enum {string}
                 */
                operation?: "payment" | "authorization" | "capture" | "refund" | "void";
                /** @description The next inquiry is the nth: 1, 2, 3 … */
                inquiry?: number;
                /**
                 * Format: date-time
                 * @description From when on a person may decide.
                 */
                decidable_at?: string;
                /**
                 * Format: date-time
                 * @description When the order will be voided.
                 */
                voids_at?: string;
                /** @description The period of the cycle that begins: 1, 2, 3 … */
                period?: number;
                /** @description Of an invoice. */
                document_number?: string;
                /** @description Of the cycle, where it has an end. */
                periods_total?: number;
            };
        };
        Timeline: {
            /** @description Newest first. */
            past: components["schemas"]["PastEntry"][];
            /** @description What waits for somebody first, then by time. */
            next: components["schemas"]["NextEntry"][];
            next_cursor: string | null;
        };
        BulkActionFailure: {
            id: string;
            /** @description The reason that the operation on this object would answer. */
            reason: string;
            message: string;
        };
        BulkAction: {
            id: string;
            /** @enum {string} */
            action: "refund" | "void" | "cancel" | "change" | "redeliver";
            dry_run: boolean;
            /**
             * @description `pending` while the objects are selected.
             * @enum {string}
             */
            state: "pending" | "running" | "completed" | "canceled" | "stopped";
            stop_reason: ("api_key_revoked" | "api_key_expired" | "scope_missing" | "account_disabled" | "not_a_member" | "role_not_allowed") | null;
            /** @description Selected objects. Grows while the state is `pending`. */
            total: number;
            succeeded: number;
            failed: number;
            /** @description What was moved, or would be. */
            amounts: {
                currency: string;
                /** Format: decimal */
                total: Decimal;
            }[];
            /** Format: date-time */
            created_at: string;
            completed_at: string | null;
            /** @description The first 1,000. */
            failures: components["schemas"]["BulkActionFailure"][];
        };
        BulkActionSummary: {
            id: string;
            /** @enum {string} */
            action: "refund" | "void" | "cancel" | "change" | "redeliver";
            dry_run: boolean;
            /**
             * @description `pending` while the objects are selected.
             * @enum {string}
             */
            state: "pending" | "running" | "completed" | "canceled" | "stopped";
            stop_reason: ("api_key_revoked" | "api_key_expired" | "scope_missing" | "account_disabled" | "not_a_member" | "role_not_allowed") | null;
            /** @description Selected objects. Grows while the state is `pending`. */
            total: number;
            succeeded: number;
            failed: number;
            /** @description What was moved, or would be. */
            amounts: {
                currency: string;
                /** Format: decimal */
                total: Decimal;
            }[];
            /** Format: date-time */
            created_at: string;
            completed_at: string | null;
        };
        BulkPlanChange: {
            recurring_items?: {
                quantity: number;
                recurring_item_id: string;
            }[];
            /** @description Prices that take the place of others, in the same quantities. */
            replace?: {
                from: string;
                to: string;
            }[];
            /** @description The id of a billing config, or a rule such as FREQ=MONTHLY;BYMONTHDAY=1 (RFC 5545: FREQ, INTERVAL, BYMONTHDAY, BYMONTH). */
            recurring_billing_config?: string;
            billing_count?: number | null;
            /**
             * @description Default now.
             * @enum {string}
             */
            at?: "now" | "period_end";
            /**
             * @description Whether the difference is billed by an order at once (default), by the next order, or not.
             * @enum {string}
             */
            proration?: "now" | "next_order" | "none";
            /**
             * @description Default day.
             * @enum {string}
             */
            proration_unit?: "day" | "second";
            /**
             * Format: date-time
             * @description The time from which the change is priced, such as 2031-03-15T09:00:00Z. Default now.
             */
            proration_date?: string;
        };
        ErasureBlocker: {
            reason: string;
            message: string;
            /** @description Up to five objects that are in the way. */
            ids: string[];
        };
        LegalHold: {
            customer_uuid: string;
            reason: string;
            /** @description The id of the user or the API key. */
            placed_by: string;
            /** Format: date-time */
            created_at: string;
        };
        ErasureCheck: {
            can_be_erased: boolean;
            blockers: components["schemas"]["ErasureBlocker"][];
            legal_hold: components["schemas"]["LegalHold"] | null;
            found: {
                table: string;
                rows: number;
                /** @description Whether there are more rows than were counted. */
                is_more: boolean;
            }[];
        };
        Erasure: {
            id: string;
            customer_uuid: string;
            /** @enum {string} */
            cause: "request" | "retention" | "recovery";
            /** @enum {string} */
            state: "running" | "completed";
            /** @description Rows that were changed, by table. */
            erased_rows: {
                [key: string]: number;
            };
            /** Format: date-time */
            created_at: string;
            completed_at: string | null;
        };
        Retention: {
            customer_days: number | null;
        };
        Overview: {
            currency: string;
            /** @description All in which something was paid or tried. */
            currencies: string[];
            today: {
                /**
                 * Format: date
                 * @description A local day of the business.
                 */
                date: string;
                /** Format: decimal */
                paid_total: Decimal;
                /** Format: decimal */
                refunded_total: Decimal;
                orders_paid: number;
                payments_failed: number;
            };
            days: {
                /**
                 * Format: date
                 * @description A local day of the business.
                 */
                date: string;
                /**
                 * Format: decimal
                 * @description Sales and captures of the day, without those that were voided.
                 */
                paid_total: Decimal;
                /** Format: decimal */
                refunded_total: Decimal;
                orders_paid: number;
                payments_approved: number;
                payments_declined: number;
                success_rate: number | null;
                /** Format: decimal */
                recurring_paid_total: Decimal;
                /**
                 * Format: decimal
                 * @description Of dunning_attempted_total, what was paid.
                 */
                dunning_recovered_total: Decimal;
                /**
                 * Format: decimal
                 * @description Attempts of recurring orders after the first.
                 */
                dunning_attempted_total: Decimal;
                counted_at: string | null;
            }[];
            counted_at: string | null;
            /** @description The 20 most frequent of these days. */
            declines: {
                decline_code: string;
                count: number;
                /** Format: decimal */
                total: Decimal;
            }[];
            recurring: {
                active_plans: number | null;
                monthly_total: Decimal | null;
                counted_at: string | null;
            };
        };
        TotalsBefore: {
            /**
             * Format: decimal
             * @description Sales and captures, without those that were voided.
             */
            paid_total: Decimal;
            /** Format: decimal */
            refunded_total: Decimal;
            /**
             * Format: decimal
             * @description paid_total without refunded_total. Fees are not subtracted.
             */
            net_total: Decimal;
            /**
             * Format: decimal
             * @description What disputes took, less what they gave back. net_total is without it.
             */
            disputed_total: Decimal;
            fee_total: Decimal | null;
            /**
             * Format: decimal
             * @description Of paid_total, the part whose fees are known.
             */
            settled_paid_total: Decimal;
            orders_paid: number;
            payments_approved: number;
            payments_declined: number;
            /** Format: decimal */
            recurring_paid_total: Decimal;
        };
        CurrencyTotals: {
            currency: string;
            /**
             * Format: decimal
             * @description Sales and captures, without those that were voided.
             */
            paid_total: Decimal;
            /** Format: decimal */
            refunded_total: Decimal;
            /**
             * Format: decimal
             * @description paid_total without refunded_total. Fees are not subtracted.
             */
            net_total: Decimal;
            /**
             * Format: decimal
             * @description What disputes took, less what they gave back. net_total is without it.
             */
            disputed_total: Decimal;
            fee_total: Decimal | null;
            /**
             * Format: decimal
             * @description Of paid_total, the part whose fees are known.
             */
            settled_paid_total: Decimal;
            orders_paid: number;
            payments_approved: number;
            payments_declined: number;
            /** Format: decimal */
            recurring_paid_total: Decimal;
            before: components["schemas"]["TotalsBefore"];
            /** @description What is more than before, or negative where it is less. */
            change: {
                /** Format: decimal */
                paid_total: Decimal;
                /** Format: decimal */
                refunded_total: Decimal;
                /** Format: decimal */
                net_total: Decimal;
                orders_paid: number;
                payments_approved: number;
                payments_declined: number;
            };
        };
        Totals: {
            /**
             * Format: date
             * @description A local day of the business.
             */
            from: string;
            /**
             * Format: date
             * @description A local day of the business.
             */
            to: string;
            time_zone: string;
            /** @description What the range is compared with: for months, quarters and years those before, else as many days up to the day before `from`. */
            before: {
                /**
                 * Format: date
                 * @description A local day of the business.
                 */
                from: string;
                /**
                 * Format: date
                 * @description A local day of the business.
                 */
                to: string;
            };
            /** @description Of most payments in the last 90 days, or ever; of the business if there were none. */
            main_currency: string;
            counted_at: string | null;
            /** @description The currency of the business first, then the others by code. */
            currencies: components["schemas"]["CurrencyTotals"][];
        };
        Attention: {
            /** @enum {string} */
            kind: "unknown_outcome" | "late_failure" | "dispute_due" | "uncollectible_plan" | "missing_credit" | "no_rate" | "exchange_rate_missing" | "late_job" | "failing_webhook" | "stopped_bulk_action" | "ambiguous_return" | "invoice_overdue" | "transfer_unmatched" | "transfer_returned" | "order_overpaid" | "message_undelivered";
            /** @description At most 1,000. */
            count: number;
            oldest_at: string | null;
            /** @description The ten oldest. */
            items: {
                id: string;
                /** @description An English sentence. */
                title: string;
                /** @description For sentences in other languages: the order number, the amount, the name of the plan, job or action, or the URL. */
                subject: string;
                /** Format: date-time */
                at: string;
            }[];
        };
        /** @description Replaced as a whole. What is left out is not allowed. */
        PortalAllowEdit: {
            /** @description Read invoices, download them, and pay what is open. */
            invoices?: boolean;
            /** @description See, add and remove cards and wallets, and choose the default. */
            payment_methods?: boolean | {
                /** @description Also remove the default token of a plan that bills. Default false. */
                remove_last?: boolean;
            };
            /** @description See and edit address, tax ids, language and the e-mail address for invoices. */
            billing_details?: boolean;
            /** @description See what metered prices have counted. */
            usage?: boolean;
            /** @description Come back to a plan that has ended. */
            reactivate?: boolean;
            change?: {
                /** @description The prices to choose from. */
                price_ids: string[];
                /**
                 * @description When changes take effect. Default now.
                 * @enum {string}
                 */
                at?: "now" | "period_end";
            } | null;
            pause?: {
                max_days: number;
            } | null;
            cancel?: {
                /** @description One of them has to be given. */
                reasons: string[];
                offer_coupon_id?: string | null;
            } | null;
        };
        PortalEdit: {
            return_url?: string | null;
            allow?: components["schemas"]["PortalAllowEdit"];
        };
        PortalAllow: {
            invoices: boolean;
            payment_methods: boolean | {
                remove_last: boolean;
            };
            billing_details: boolean;
            usage: boolean;
            reactivate: boolean;
            change?: {
                price_ids: string[];
                /** @enum {string} */
                at: "now" | "period_end";
            };
            pause?: {
                max_days: number;
            };
            cancel?: {
                reasons: string[];
                offer_coupon_id?: string;
            };
        };
        Portal: {
            return_url: string | null;
            allow: components["schemas"]["PortalAllow"];
            /** @description Where customers have a link mailed to them, while messages of the kind `portal_link` are enabled. It never changes. */
            sign_in_url: string;
        };
        NewPortalSession: {
            customer_uuid: string;
            /**
             * Format: uri
             * @description Where the link back leads, instead of that of the settings.
             */
            return_url?: string;
            /**
             * @description The page at which the link opens. Default the overview.
             * @enum {string}
             */
            flow?: "payment_method" | "cancel" | "change";
            /** @description The plan at which the link opens. */
            plan_id?: string;
            /** @description Shows what the customer sees, and changes nothing. Default false. */
            read_only?: boolean;
            /** @description Also mails the link to the customer. Default false. */
            send?: boolean;
        };
        PortalSession: {
            /** @description Opens once, within 15 minutes. */
            url: string;
            /** @description For the operations of the portal, at once and until expires_at. */
            token: string;
            /** Format: date-time */
            expires_at: string;
        };
        PortalOverview: {
            business: {
                name: string;
            };
            customer: {
                uuid: string;
                name: string;
                email?: string;
                phone: string;
            };
            return_url: string | null;
            allow: components["schemas"]["PortalAllow"];
        };
        PortalRecurringBillingConfig: {
            id: string;
            /** @enum {string} */
            billing_interval: "day" | "week" | "month" | "year";
            interval_count: number;
            /** @enum {string} */
            billing_type: "anniversary" | "calendar";
            billing_month?: number;
            billing_day_of_month?: number;
            billing_proration_enabled: boolean;
            description?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            deleted_at: string | null;
        };
        PortalRecurringCycleItem: {
            id: string;
            label: string;
            /** Format: decimal */
            price: Decimal;
            currency: string;
            description?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            deleted_at: string | null;
            quantity: number;
        };
        PortalRecurringCycle: {
            /** @description Left out in a preview. */
            id?: string;
            /** @enum {string} */
            state: "upcoming" | "active" | "past_due" | "paused" | "uncollectible" | "completed" | "canceled";
            recurring_plan_id: string;
            billing_count: number | null;
            billing_count_created: number;
            recurring_billing_config: components["schemas"]["PortalRecurringBillingConfig"];
            recurring_items: components["schemas"]["PortalRecurringCycleItem"][];
            /** Format: decimal */
            billing_amount: Decimal;
            /** Format: decimal */
            discount_amount?: Decimal;
            /** @enum {string} */
            discount_type?: "fixed_amount" | "percentage";
            previous_cycle: string | null;
            next_cycle: string | null;
            /** Format: date-time */
            estimated_start_date?: string;
            start_date: string | null;
            estimated_end_date: string | null;
            end_date: string | null;
            next_execute_time: string | null;
            description: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            deleted_at: string | null;
        };
        PortalRecurringPlanCoupon: {
            /** @description Of the coupon. */
            id: string;
            name: string;
            percent_off: Decimal | null;
            amount_off: Decimal | null;
            currency: string | null;
            times: number | null;
            until: string | null;
            product_ids: string[] | null;
            exclusive: boolean;
            promotion_code_id: string | null;
            code: string | null;
            /** @description What counts for times. */
            periods_lowered: number;
            /** Format: date-time */
            attached_at: string;
        };
        PortalRecurringOrder: {
            /** Format: decimal */
            amount: Decimal;
            /** Format: decimal */
            paid_total: Decimal;
            currency: string;
            order_number: string;
            reference_number: string;
            /** @enum {string} */
            state: "open" | "completed" | "refunded" | "voided" | "expired";
            /** @enum {string} */
            correspondence_state: "unpaid" | "partial_paid" | "paid" | "over_paid";
            auth_code: string;
            default_payment_token: string;
            redirect_url: string;
            timeout?: {
                timer: string;
                url?: string;
            };
        };
        PortalRecurringPlan: {
            id: string;
            name: string;
            reference_number?: string;
            /** @enum {string} */
            state: "upcoming" | "active" | "past_due" | "paused" | "uncollectible" | "completed" | "canceled";
            default_payment_token?: string;
            /** Format: decimal */
            credit: Decimal;
            redirect_url?: string;
            timeout?: {
                timer: number;
                url?: string;
            };
            description: string | null;
            /** Format: date-time */
            start_date: string;
            next_execute_time: string | null;
            /** Format: date-time */
            cancel_at?: string;
            /** @description Why the plan is to end, or has ended, where somebody said so. */
            cancellation?: {
                reason: string;
                comment?: string;
                /**
                 * @description The customer, in the portal.
                 * @enum {string}
                 */
                by: "portal";
            };
            /** @description The change that waits for the end of the period or, with `state: awaiting_payment`, until its order is paid. */
            pending_change?: {
                /** Format: date-time */
                effective_at: string;
                /** @enum {string} */
                state?: "awaiting_payment";
                order_number?: string;
                /** Format: date-time */
                until?: string;
                recurring_items: {
                    recurring_item_id: string;
                    quantity: number;
                }[];
                recurring_billing_config?: string;
                billing_count?: number | null;
            };
            /** @description Lines of changes that wait for the next order. */
            pending_lines?: {
                /** @enum {string} */
                purchasable_type: "Charge";
                label: string;
                /** Format: decimal */
                price: Decimal;
                quantity: number;
                /** Format: decimal */
                total: Decimal;
                /**
                 * @description What the line of a plan bills.
                 * @enum {string}
                 */
                kind?: "item" | "usage" | "correction" | "proration_credit" | "proration_charge" | "proration" | "discount" | "coupon" | "tax" | "balance" | "credit" | "to_credit";
                /** @description What time a line of a plan covers. */
                period?: {
                    /** Format: date-time */
                    start: string;
                    /** Format: date-time */
                    end: string;
                };
                recurring_item_id?: string;
                /** @description The quantity that the amount was computed from. */
                units?: number;
            }[];
            /** Format: date-time */
            pause_until?: string;
            trial?: {
                /** Format: date-time */
                start: string;
                /** Format: date-time */
                end: string;
                /** @enum {string} */
                state: "running" | "converted" | "canceled";
            };
            terms?: {
                minimum: string;
                notice?: string;
                renewal?: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            deleted_at: string | null;
            recurring_cycles: components["schemas"]["PortalRecurringCycle"][];
            /** @description As attached. Left out until a plan gets its first coupon. */
            coupons?: components["schemas"]["PortalRecurringPlanCoupon"][];
            customer?: {
                uuid: string;
                reference_number: string;
                name: string;
                email?: string;
                phone: string;
                /** @enum {string} */
                default_payment_method?: "Credit Card" | "WalletA Pay" | "WalletB";
            };
            current_order?: components["schemas"]["PortalRecurringOrder"];
            current_payment_link?: string;
        };
        NewPortalPlanChange: {
            recurring_items?: {
                quantity: number;
                recurring_item_id: string;
            }[];
            /** @description Prices that take the place of others, in the same quantities. */
            replace?: {
                from: string;
                to: string;
            }[];
            /**
             * Format: decimal
             * @description What the customer saw. With another total nothing is done.
             */
            expected_total: Decimal;
        };
        PortalOrderTax: {
            /** @enum {string} */
            behavior: "exclusive" | "inclusive";
            /** Format: decimal */
            total: Decimal;
            /** @description A group for each rate, and one for each other treatment. */
            groups: {
                name: string;
                /** Format: decimal */
                percentage: Decimal;
                /** @enum {string} */
                treatment: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
                /**
                 * Format: decimal
                 * @description What the group taxes, without the tax.
                 */
                base: Decimal;
                /** Format: decimal */
                amount: Decimal;
            }[];
        };
        PortalPlanChange: {
            /** @enum {string} */
            state: "applied" | "scheduled";
            /** Format: date-time */
            effective_at: string;
            proration_date: string | null;
            remaining: number | null;
            whole: number | null;
            line_items: {
                /** @enum {string} */
                purchasable_type: "Charge";
                label: string;
                /** Format: decimal */
                price: Decimal;
                quantity: number;
                /** Format: decimal */
                total: Decimal;
                /**
                 * @description What the line of a plan bills.
                 * @enum {string}
                 */
                kind?: "item" | "usage" | "correction" | "proration_credit" | "proration_charge" | "proration" | "discount" | "coupon" | "tax" | "balance" | "credit" | "to_credit";
                /** @description What time a line of a plan covers. */
                period?: {
                    /** Format: date-time */
                    start: string;
                    /** Format: date-time */
                    end: string;
                };
                recurring_item_id?: string;
                /** @description The quantity that the amount was computed from. */
                units?: number;
            }[];
            /** @description By how much unpaid orders were lowered. */
            credited: {
                order_number: string;
                /** Format: decimal */
                amount: Decimal;
            }[];
            /**
             * Format: decimal
             * @description Of the order, or of the lines that wait.
             */
            total: Decimal;
            tax: components["schemas"]["PortalOrderTax"] | null;
            /** Format: decimal */
            credit_added: Decimal;
        };
        PortalLineItem: {
            uuid: string;
            /** @enum {string} */
            purchasable_type: "RearTips" | "Charge" | "Listing" | "Rounding" | "SurchargeFee";
            purchase_id?: number;
            /** Format: decimal */
            price: Decimal;
            quantity: number;
            /** Format: decimal */
            total: Decimal;
            label?: string;
            /**
             * @description What the line of a plan bills.
             * @enum {string}
             */
            kind?: "item" | "usage" | "correction" | "proration_credit" | "proration_charge" | "proration" | "discount" | "coupon" | "tax" | "balance" | "credit" | "to_credit";
            /** @description What time a line of a plan covers. */
            period?: {
                /** Format: date-time */
                start: string;
                /** Format: date-time */
                end: string;
            };
            recurring_item_id?: string;
            /** @description The quantity that the amount was computed from. */
            units?: number;
        };
        PortalPaymentData: {
            /**
             * @description The real wallet behind the method.
             * @enum {string}
             */
            wallet?: "wechat_pay" | "alipay" | "alipay_hk";
            /**
             * @description manual: recorded by hand.
             * @enum {string}
             */
            acquirer_type: "card" | "wallet" | "bank" | "manual";
            /** @enum {string} */
            payment_method: "payment_token" | "credit_card" | "wallet_a_pay" | "wallet_b" | "fps" | "bank_transfer" | "cash" | "cheque" | "other";
            receipt_id: string;
            /** @enum {string} */
            transaction_state: "initiated" | "pending" | "requires_action" | "authorized" | "succeeded" | "failed" | "voided" | "expired" | "unknown";
            token?: string;
            auth_code?: string;
            /** @description It had counted before the acquirer said that it failed. */
            failed_later?: boolean;
            resp_code?: string;
            resp_msg?: string;
            credit_card_type?: string;
            first_6_digits?: string;
            last_4_digits?: string;
            card_number_len?: number;
            holder_name?: string;
            exp_month?: string;
            exp_year?: string;
        };
        PortalNextAction: {
            /**
             * @example three_d_secure
             * @example wallet_confirmation
             * @example bank_confirmation
             */
            type: string;
            /** @description Where to send the payer. */
            url: string;
            /** @description The text of the code that the payer scans with the app. On a desktop only. */
            qr_code?: string;
            /**
             * Format: date-time
             * @description Until when the payer may act, where it is known.
             */
            expires_at?: string;
        };
        PortalTransaction: {
            /** @enum {string} */
            type: "Sales" | "Authorization" | "Refund" | "Capture";
            uuid: string;
            currency: string;
            /**
             * Format: decimal
             * @description Negative for a Refund.
             */
            amount: Decimal;
            /** @description False again after a void. */
            success: boolean;
            /** @description The outcome is not known yet, or the payer has something to do. */
            is_pending: boolean;
            /** @description True for an Authorization of which at least one Capture succeeded. */
            captured: boolean;
            /** @description The outcome of the void is not known yet. */
            void_is_pending: boolean;
            /** @description Why the acquirer did not void it, until another void. */
            void_failure?: {
                resp_code: string;
                resp_msg: string;
            };
            /** @enum {string} */
            payment_method: "payment_token" | "credit_card" | "wallet_a_pay" | "wallet_b" | "fps" | "bank_transfer" | "cash" | "cheque" | "other";
            payment_data: components["schemas"]["PortalPaymentData"];
            value_date: string | null;
            /**
             * Format: date
             * @description The local date on which a bank transfer counts as returned. It stays paid on its value_date.
             */
            returned_on?: string;
            original_transaction_uuid: string | null;
            next_action?: components["schemas"]["PortalNextAction"];
            /** Format: date-time */
            created_at: string;
        };
        PortalOrder: {
            /** @enum {string} */
            source: "api" | "recurring" | "payment_link";
            /** @enum {string} */
            type: "one_off" | "recurring";
            number: string;
            reference_number: string;
            due_date: string | null;
            /** Format: decimal */
            initial_total: Decimal;
            /** Format: decimal */
            initial_tips: Decimal;
            /** Format: decimal */
            subtotal: Decimal;
            /** @description The sum of the successful Sales, Captures and Refunds, as a decimal string. */
            paid_total: string;
            /** @description initial_total − paid_total. Negative when over-paid. */
            unpaid_total: string;
            /** @description The sum of the successful Refunds, above zero. */
            refunded_total: string;
            /** @description What the payer still owes: unpaid_total while the order can be paid, else zero. */
            amount_due: string;
            /** @enum {string} */
            state: "open" | "completed" | "refunded" | "voided" | "expired";
            /** @enum {string} */
            correspondence_state: "unpaid" | "partial_paid" | "paid" | "over_paid";
            currency: string;
            return_url?: string;
            customer_uuid?: string;
            /** @description The plan that made the order. */
            plan_id?: string;
            /** @description Of orders of plans, and of orders with an invoice. */
            billing?: {
                /**
                 * @description Why the plan made the order.
                 * @enum {string}
                 */
                kind?: "period" | "change" | "usage" | "closing" | "top_up";
                tax: components["schemas"]["PortalOrderTax"] | null;
                /**
                 * Format: decimal
                 * @description By how much changes of the plan and credit notes lowered what is to be paid.
                 */
                credited_total: Decimal;
                /**
                 * Format: decimal
                 * @description What was given up, if anything was.
                 */
                written_off?: Decimal;
                /**
                 * Format: decimal
                 * @description What of an overpayment became credit of a plan, if anything did.
                 */
                moved_to_credit?: Decimal;
                invoice_id?: string;
                invoice_number?: string;
            };
            timeout?: {
                timer: string;
                url?: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            line_items: components["schemas"]["PortalLineItem"][] | null;
            transactions: components["schemas"]["PortalTransaction"][];
        };
        NewPortalPlanChangePreview: {
            recurring_items?: {
                quantity: number;
                recurring_item_id: string;
            }[];
            /** @description Prices that take the place of others, in the same quantities. */
            replace?: {
                from: string;
                to: string;
            }[];
        };
        PortalInvoiceLine: {
            id: string;
            /** @description The line of the invoice that a line of a credit note lowers. */
            line_id?: string;
            label: string;
            /**
             * Format: decimal
             * @description Negative on lines that credit something.
             */
            quantity: Decimal;
            /** Format: decimal */
            unit_amount: Decimal;
            /**
             * Format: decimal
             * @description quantity × unit_amount.
             */
            amount: Decimal;
            /**
             * Format: decimal
             * @description The share of discounts and coupons.
             */
            discount: Decimal;
            /** Format: decimal */
            net: Decimal;
            /** Format: decimal */
            tax: Decimal;
            /**
             * Format: decimal
             * @description net + tax.
             */
            total: Decimal;
            period?: {
                /** Format: date-time */
                start: string;
                /** Format: date-time */
                end: string;
            };
            /** @enum {string} */
            treatment: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
            rates: {
                name: string;
                /** Format: decimal */
                percentage: Decimal;
            }[];
        };
        PortalInvoice: {
            id: string;
            /** @enum {string} */
            type: "invoice" | "credit_note";
            number: string;
            /** @enum {string} */
            state: "open" | "paid" | "credited" | "uncollectible";
            order_number: string;
            plan_id?: string;
            /** @description The invoice that a credit note lowers. */
            invoice_id?: string;
            /** @description The invoice that this one corrects as a whole. */
            replaces?: string;
            /** @description The invoice that corrects this one as a whole. */
            replaced_by?: string;
            /** @description Of the invoice that a credit note corrects; of a change of a plan that took something back from several invoices, separated by commas. */
            invoice_number?: string;
            /** @description Why a credit note was issued. */
            reason?: string;
            /** @description Where the amount of a credit note went when it was issued: off what was due, back to the payments, to the plan's credit. The rest was not given back. */
            settlement?: {
                /** Format: decimal */
                due: Decimal;
                /** Format: decimal */
                refunded: Decimal;
                /** Format: decimal */
                credited: Decimal;
            };
            seller: {
                legal_entity_id: string;
                name: string;
                address: {
                    line1: string;
                    line2: string | null;
                    postal_code: string | null;
                    city: string;
                    region: string | null;
                    country: string;
                };
                tax_ids: {
                    type: string;
                    value: string;
                }[];
                bank: {
                    iban?: string;
                    bic: string | null;
                    account_number?: string;
                    bank_code?: string;
                    branch_code?: string;
                    bank_name?: string;
                    account_holder?: string;
                    fps_id?: string;
                } | null;
                electronic_address?: {
                    scheme: string;
                    value: string;
                };
                contact?: {
                    name: string;
                    phone: string;
                    email: string;
                };
                footer: string | null;
            };
            buyer: {
                customer_uuid: string;
                name: string;
                email: string | null;
                address: {
                    line1: string;
                    line2: string | null;
                    postal_code: string | null;
                    city: string;
                    region: string | null;
                    country: string;
                } | null;
                tax_ids: {
                    type: string;
                    value: string;
                }[];
                electronic_address?: {
                    scheme: string;
                    value: string;
                };
                language: string | null;
            };
            /**
             * Format: date
             * @description In the business's zone.
             */
            issue_date: string;
            /** Format: date */
            due_date: string;
            currency: string;
            /** @enum {string} */
            tax_behavior: "exclusive" | "inclusive";
            lines: components["schemas"]["PortalInvoiceLine"][];
            taxes: {
                name: string;
                /** Format: decimal */
                percentage: Decimal;
                /** @enum {string} */
                treatment: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
                /** Format: decimal */
                base: Decimal;
                /** Format: decimal */
                amount: Decimal;
                /** Format: decimal */
                base_in_tax_currency?: Decimal;
                /**
                 * Format: decimal
                 * @description A running share, so that the taxes sum to tax_total_in_tax_currency.
                 */
                amount_in_tax_currency?: Decimal;
            }[];
            /** @description Of taxed documents in another currency: the one in which the seller reports its tax. The members that follow belong to it. */
            tax_currency?: string;
            exchange_rate?: Decimal | null;
            exchange_rate_base?: string;
            exchange_rate_date?: string | null;
            /**
             * Format: decimal
             * @description tax_total by the rate, rounded once; of credit notes a running share.
             */
            tax_total_in_tax_currency?: Decimal;
            /** Format: decimal */
            net_total: Decimal;
            /** Format: decimal */
            tax_total: Decimal;
            /** Format: decimal */
            total: Decimal;
            /**
             * Format: decimal
             * @description What credit and balances had paid at the issue.
             */
            prepaid: Decimal;
            /** Format: decimal */
            amount_due: Decimal;
            /**
             * Format: decimal
             * @description By how much credit notes lowered the invoice.
             */
            credited_total: Decimal;
            /** @description The payments that count, oldest first. Not of credit notes and in events. */
            payments?: {
                transaction_uuid: string;
                value_date: string | null;
                /** @description The `payment_method` of the transaction. */
                method: string;
                /** @description Who recorded the payment. `manual`: by hand, and undone as a transaction. `bank`: from a bank statement, and unmatched at its entry. */
                acquirer_type: string;
                /** Format: decimal */
                amount: Decimal;
                /** @description Of a transfer of a bank statement: who sent it, as the bank names them. */
                payer_name?: string;
            }[];
            /**
             * Format: decimal
             * @description What was paid beyond what is owed, and neither given back nor moved. Negative: what was given back by hand beyond it, until a credit note covers it. Not of credit notes and in events.
             */
            overpaid?: Decimal;
            /** @description Creditor reference, ISO 11649. */
            payment_reference: string;
            /** @description Such as the Leitweg-ID in Germany. */
            buyer_reference?: string;
            /** @description The number of the buyer's order. */
            purchase_order?: string;
            notes: string[];
            memo?: string;
            /**
             * Format: date-time
             * @description When the number was given.
             */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        PortalPaymentToken: {
            /** @enum {string} */
            token_type: "CreditCard" | "WalletAPayAutoDebit" | "WalletBAutoDebit";
            token: string;
            /** @enum {string} */
            state: "pending" | "active" | "failed" | "expired" | "deleted";
            default: boolean;
            verify_url: string | null;
            verify_uuid: string;
            error_code?: string;
            error_msg?: string;
            credit_card?: {
                /** @description Masked: 424242******4242. */
                number: string;
                exp_month: string;
                exp_year: string;
                holder_name: string;
                brand: string;
                billing_currency: string;
            };
            /** @description The real wallet of an agreement. */
            wallet?: {
                /** @enum {string} */
                name: "wechat_pay" | "alipay" | "alipay_hk";
                /** @description The payer's account there, masked. */
                account?: string;
            };
            /** Format: date-time */
            created_at: string;
        };
        NewPortalPaymentToken: {
            /** @enum {string} */
            token_type: "CreditCard" | "WalletAPayAutoDebit" | "WalletBAutoDebit";
            credit_card?: {
                /** @description 12 to 19 digits. Stored encrypted. */
                number: string;
                /** @description Month, 01 to 12. */
                exp_month: string;
                /** @description Year of two or four digits. */
                exp_year: string;
                /** @description 3 or 4 digits. Never stored. */
                cvc: string;
                holder_name: string;
                /** @description ISO 4217. */
                billing_currency: string;
            };
            /** @description Of a wallet: the account that makes the agreement. Default: the one that routing chooses. */
            acquirer_account_id?: string;
            /** @description Whether the token becomes the default. The first active token does, unless this is false. */
            default?: boolean;
            /**
             * Format: uri
             * @description Where the payer goes after the verification page.
             */
            return_url?: string;
        };
        PortalAddress: {
            line1: string;
            line2?: string;
            postal_code?: string;
            city: string;
            region?: string;
            country: string;
        };
        PortalElectronicAddress: {
            scheme: string;
            value: string;
        };
        PortalBillingDetails: {
            address: components["schemas"]["PortalAddress"] | null;
            tax_ids: {
                /** @enum {string} */
                type: "vat" | "hk_br" | "sg_uen" | "sg_gst" | "au_abn" | "nz_gst" | "ch_vat" | "no_vat" | "ca_bn" | "us_ein" | "in_gst" | "jp_rn" | "kr_brn" | "th_vat" | "ae_trn" | "za_vat";
                value: string;
                /** @enum {string} */
                state: "unverified" | "verified" | "rejected";
            }[];
            language: string | null;
            invoice_email: string | null;
            cc: string[];
            electronic_address: components["schemas"]["PortalElectronicAddress"] | null;
        };
        PortalBillingDetailsEdit: {
            address?: components["schemas"]["NewAddress"] | null;
            tax_ids?: components["schemas"]["NewTaxId"][];
            language?: string | null;
            invoice_email?: string | null;
            /** @description Who gets copies of the customer's messages. */
            cc?: string[];
            electronic_address?: components["schemas"]["NewElectronicAddress"] | null;
        };
        TruncatedOrderInEvent: {
            number: string;
            reference_number: string;
            customer_uuid?: string;
        };
        TruncatedTransaction: {
            uuid: string;
            reference_id?: string;
        };
        TruncatedDispute: {
            id: string;
            /** @description The id of the dispute at the acquirer. */
            acquirer_reference: string;
        };
        TruncatedInvoice: {
            id: string;
            number: string;
            order_number: string;
            reference_id: string | null;
        };
        TruncatedBankEntry: {
            id: string;
            bank_statement_id: string;
        };
        TruncatedRecurringPlan: {
            id: string;
            reference_number?: string;
        };
        TruncatedRecurringCycle: {
            /** @description Left out in a preview. */
            id?: string;
            recurring_plan_id: string;
        };
        TruncatedProduct: {
            id: string;
            reference_id: string | null;
        };
        TruncatedPrice: {
            id: string;
            reference_id: string | null;
        };
        TruncatedDunningPolicy: {
            id: string;
            reference_id: string | null;
        };
        TruncatedCoupon: {
            id: string;
            reference_id: string | null;
        };
        TruncatedErasedCustomer: {
            uuid: string;
        };
        TruncatedPaymentTokenOfEvent: {
            token: string;
            customer_uuid: string;
        };
        TruncatedTaxRate: {
            id: string;
            reference_id: string | null;
        };
        TruncatedMessageOfEvent: {
            id: string;
            /** @description The number of the order, or the id of the document, plan or token that it is about. */
            object_id: string;
            customer_uuid: string;
            /** @description The value of the header Message-ID. */
            message_id: string;
        };
        TruncatedCard: {
            id: string;
            reference_id: string;
            p_user_id?: string;
        };
        TruncatedCardAuthorization: {
            uuid: string;
            card_id: string;
            reference_id: string;
        };
        TruncatedWalletTransaction: {
            id: string;
            wallet_id: string;
            transaction_hash: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getBusiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            business: components["schemas"]["Business"];
                        };
                    };
                };
            };
        };
    };
    putBusiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "business": {
                 *         "name": "Kowloon Books",
                 *         "time_zone": "Asia/Hong_Kong",
                 *         "currency": "HKD"
                 *       }
                 *     }
                 */
                "application/json": {
                    business: {
                        /** @description Of both environments. */
                        name?: string;
                        /** @description IANA, such as Asia/Hong_Kong. Only before the first payment of the environment. */
                        time_zone?: string;
                        /**
                         * @description The currency in which reports open.
                         * @example HKD
                         */
                        currency?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            business: components["schemas"]["Business"];
                        };
                    };
                };
            };
        };
    };
    getApiKeys: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `name`, `app_id`, `created_at`, `expires_at`, `revoked_at`, `last_used_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            api_keys: components["schemas"]["ApiKey"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_key": {
                 *         "name": "Nightly report",
                 *         "scopes": [
                 *           "payments:read"
                 *         ],
                 *         "expires_in": "P90D"
                 *       }
                 *     }
                 */
                "application/json": {
                    api_key: components["schemas"]["NewApiKey"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            api_key: components["schemas"]["ApiKey"];
                            /** @description The key itself. It is shown once: a replay has an empty text. */
                            secret: string;
                        };
                    };
                };
            };
        };
    };
    deleteApiKeysById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            api_key: components["schemas"]["ApiKey"];
                        };
                    };
                };
            };
        };
    };
    getAppsSelfSigningKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            key: components["schemas"]["PublicKey"];
                            /** @description RFC 7638, SHA-256 in base64url */
                            thumbprint: string;
                        };
                    };
                };
            };
        };
    };
    putAppsSelfSigningKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": {
                 *         "kty": "OKP",
                 *         "crv": "Ed25519",
                 *         "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
                 *       }
                 *     }
                 */
                "application/json": {
                    key: components["schemas"]["PublicKey"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            key: components["schemas"]["PublicKey"];
                            /** @description RFC 7638, SHA-256 in base64url */
                            thumbprint: string;
                        };
                    };
                };
            };
        };
    };
    deleteAppsSelfSigningKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: Record<string, never>;
                    };
                };
            };
        };
    };
    getAppsSelfEncryptionKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            key: components["schemas"]["PublicKey"];
                            /** @description RFC 7638, SHA-256 in base64url */
                            thumbprint: string;
                        };
                    };
                };
            };
        };
    };
    putAppsSelfEncryptionKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": {
                 *         "kty": "EC",
                 *         "crv": "P-256",
                 *         "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
                 *         "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"
                 *       }
                 *     }
                 */
                "application/json": {
                    key: components["schemas"]["PublicKey"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            key: components["schemas"]["PublicKey"];
                            /** @description RFC 7638, SHA-256 in base64url */
                            thumbprint: string;
                        };
                    };
                };
            };
        };
    };
    deleteAppsSelfEncryptionKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: Record<string, never>;
                    };
                };
            };
        };
    };
    getBranding: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            branding: components["schemas"]["Branding"];
                        };
                    };
                };
            };
        };
    };
    putBranding: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "branding": {
                 *         "display_name": "Kowloon Books",
                 *         "color": "#1d4f8f",
                 *         "email": "help@kowloonbooks.example",
                 *         "terms_url": "https://kowloonbooks.example/terms",
                 *         "wallet_names": {
                 *           "wallet_b": "Harbour Wallet"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    branding: {
                        display_name?: string | null;
                        logo?: string | null;
                        color?: string | null;
                        email?: string | null;
                        phone?: string | null;
                        website?: string | null;
                        terms_url?: string | null;
                        privacy_url?: string | null;
                        /** @description What pages and documents call the wallets. */
                        wallet_names?: {
                            wallet_a_pay?: string | null;
                            wallet_b?: string | null;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            branding: components["schemas"]["Branding"];
                        };
                    };
                };
            };
        };
    };
    getMembers: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `email`, `name`, `test_role`, `live_role`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            members: components["schemas"]["Member"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    putMembersById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "member": {
                 *         "test_role": "developer",
                 *         "live_role": "read_only"
                 *       }
                 *     }
                 */
                "application/json": {
                    member: {
                        test_role?: ("owner" | "developer" | "finance" | "support" | "read_only") | null;
                        live_role?: ("owner" | "developer" | "finance" | "support" | "read_only") | null;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            member: components["schemas"]["Member"];
                        };
                    };
                };
            };
        };
    };
    deleteMembersById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: Record<string, never>;
                    };
                };
            };
        };
    };
    getMembersByIdSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            sessions: components["schemas"]["Session"][];
                        };
                    };
                };
            };
        };
    };
    deleteMembersByIdSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            /** @description How many sessions have ended. */
                            ended: number;
                        };
                    };
                };
            };
        };
    };
    getInvitations: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `email`, `created_at`, `expires_at`, `accepted_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            invitations: components["schemas"]["Invitation"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "invitation": {
                 *         "email": "jo@example.com",
                 *         "test_role": "developer",
                 *         "live_role": null
                 *       }
                 *     }
                 */
                "application/json": {
                    invitation: {
                        email: string;
                        test_role?: ("owner" | "developer" | "finance" | "support" | "read_only") | null;
                        live_role?: ("owner" | "developer" | "finance" | "support" | "read_only") | null;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            invitation: components["schemas"]["Invitation"];
                            link: string | null;
                        };
                    };
                };
            };
        };
    };
    deleteInvitationsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: Record<string, never>;
                    };
                };
            };
        };
    };
    getAcquirerAccounts: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `acquirer`, `name`, `state`, `merchant_id`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            acquirer_accounts: components["schemas"]["AcquirerAccount"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postAcquirerAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "acquirer_account": {
                 *         "acquirer": "stripe",
                 *         "name": "Stripe HK",
                 *         "credentials": {
                 *           "secret_key": "sk_test_…",
                 *           "publishable_key": "pk_test_…",
                 *           "webhook_secret": "whsec_…"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    acquirer_account: {
                        /** @enum {string} */
                        acquirer: "stripe" | "adyen" | "airwallex";
                        name: string;
                        /** @description Stripe: secret_key, publishable_key and webhook_secret. Adyen: api_key, client_key, merchant_account and hmac_key. Airwallex: client_id, api_key, webhook_secret (several are separated by commas) and, for keys that reach several accounts, account_id. Checked with the acquirer, stored encrypted and never shown. */
                        credentials: {
                            secret_key?: string;
                            publishable_key?: string;
                            webhook_secret?: string;
                            api_key?: string;
                            client_key?: string;
                            merchant_account?: string;
                            hmac_key?: string;
                            client_id?: string;
                            account_id?: string;
                        };
                        /**
                         * Format: uri
                         * @description Where the acquirer is called, without the path of a version. Needed for Adyen in live environments.
                         */
                        api_base?: string;
                        statement_descriptor?: string | null;
                        /** @description Payment methods that the account takes. Default `credit_card`, which includes stored cards. */
                        methods?: ("credit_card" | "payment_token" | "wallet_a_pay" | "wallet_b" | "fps")[];
                        /** @description Currencies that the account takes. Empty means all. */
                        currencies?: string[];
                        /** @description Airwallex only: the wallets that pay as `wallet_a_pay` and `wallet_b`. Default `wechat_pay`, and the first of `alipay_hk` and `alipay` that Airwallex has opened for the account. */
                        wallets?: {
                            /** @enum {string} */
                            wallet_a?: "wechat_pay";
                            /** @enum {string} */
                            wallet_b?: "alipay_hk" | "alipay";
                        };
                        /** @description Whether full card numbers may be sent to the acquirer. Default false. */
                        raw_card_numbers?: boolean;
                        apple_pay_domain_file?: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            acquirer_account: components["schemas"]["AcquirerAccount"];
                        };
                    };
                };
            };
        };
    };
    getAcquirerAccountsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            acquirer_account: components["schemas"]["AcquirerAccount"];
                        };
                    };
                };
            };
        };
    };
    putAcquirerAccountsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "acquirer_account": {
                 *         "name": "Stripe Hong Kong",
                 *         "currencies": [
                 *           "HKD",
                 *           "USD"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    acquirer_account: {
                        /**
                         * @description Cannot be changed.
                         * @enum {string}
                         */
                        acquirer?: "stripe" | "adyen" | "airwallex";
                        name?: string;
                        /** @description Stripe: secret_key, publishable_key and webhook_secret. Adyen: api_key, client_key, merchant_account and hmac_key. Airwallex: client_id, api_key, webhook_secret (several are separated by commas) and, for keys that reach several accounts, account_id. Checked with the acquirer, stored encrypted and never shown. */
                        credentials?: {
                            secret_key?: string;
                            publishable_key?: string;
                            webhook_secret?: string;
                            api_key?: string;
                            client_key?: string;
                            merchant_account?: string;
                            hmac_key?: string;
                            client_id?: string;
                            account_id?: string;
                        };
                        /**
                         * Format: uri
                         * @description Where the acquirer is called, without the path of a version. Needed for Adyen in live environments.
                         */
                        api_base?: string;
                        statement_descriptor?: string | null;
                        /** @description Payment methods that the account takes. Default `credit_card`, which includes stored cards. */
                        methods?: ("credit_card" | "payment_token" | "wallet_a_pay" | "wallet_b" | "fps")[];
                        /** @description Currencies that the account takes. Empty means all. */
                        currencies?: string[];
                        /** @description Airwallex only: the wallets that pay as `wallet_a_pay` and `wallet_b`. Default `wechat_pay`, and the first of `alipay_hk` and `alipay` that Airwallex has opened for the account. */
                        wallets?: {
                            /** @enum {string} */
                            wallet_a?: "wechat_pay";
                            /** @enum {string} */
                            wallet_b?: "alipay_hk" | "alipay";
                        };
                        /** @description Whether full card numbers may be sent to the acquirer. Default false. */
                        raw_card_numbers?: boolean;
                        apple_pay_domain_file?: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            acquirer_account: components["schemas"]["AcquirerAccount"];
                        };
                    };
                };
            };
        };
    };
    deleteAcquirerAccountsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            acquirer_account: components["schemas"]["AcquirerAccount"];
                        };
                    };
                };
            };
        };
    };
    getRouting: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            routing: components["schemas"]["Routing"];
                        };
                    };
                };
            };
        };
    };
    putRouting: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "routing": {
                 *         "rules": [
                 *           {
                 *             "when": {
                 *               "currency": "HKD",
                 *               "max_amount": 5000
                 *             },
                 *             "accounts": [
                 *               {
                 *                 "id": "acc_01k0f3h9ybe7r8w2m5n6p4q1st",
                 *                 "weight": 3
                 *               },
                 *               {
                 *                 "id": "acc_01k0f3jc2de9x7v4b8g5h6k1mn",
                 *                 "weight": 1
                 *               }
                 *             ],
                 *             "fallback": [
                 *               "acc_01k0f3k7r4fa2s9d6j3c8t5wxy"
                 *             ]
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    routing: {
                        rules: {
                            /** @description All of these must hold. Without any, the rule matches every payment. */
                            when?: {
                                /** @description ISO 4217. */
                                currency?: string;
                                /**
                                 * Format: decimal
                                 * @description In the currency of the rule, or else of the payment.
                                 */
                                min_amount?: Decimal;
                                /** Format: decimal */
                                max_amount?: Decimal;
                                /** @description `visa`, `mastercard`, … */
                                brand?: string;
                                /** @description Country of the card, ISO 3166-1 alpha-2. */
                                country?: string;
                                /** @enum {string} */
                                payment_method?: "credit_card" | "payment_token" | "wallet_a_pay" | "wallet_b" | "fps";
                                /** @enum {string} */
                                source?: "recurring" | "one_off";
                            };
                            accounts: {
                                id: string;
                                /** @description The account's share of the payments. Default 1. */
                                weight?: number;
                            }[];
                            /**
                             * @description Choose the account that approved most. Weights decide between equals.
                             * @enum {string}
                             */
                            by?: "success_rate";
                            /** @description Accounts that are tried next after a refusal or a soft decline, in this order. */
                            fallback?: string[];
                        }[];
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            routing: components["schemas"]["Routing"];
                        };
                    };
                };
            };
        };
    };
    postRoutingPreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 120.5,
                 *       "currency": "HKD",
                 *       "brand": "visa"
                 *     }
                 */
                "application/json": {
                    /** Format: decimal */
                    amount: Decimal;
                    /** @description ISO 4217. */
                    currency: string;
                    /** @description `visa`, `mastercard`, … */
                    brand?: string;
                    /** @description Country of the card, ISO 3166-1 alpha-2. */
                    country?: string;
                    /**
                     * @description Default `credit_card`.
                     * @enum {string}
                     */
                    payment_method?: "credit_card" | "payment_token" | "wallet_a_pay" | "wallet_b" | "fps";
                    /**
                     * @description Default `one_off`.
                     * @enum {string}
                     */
                    source?: "recurring" | "one_off";
                    /** @description True for a payment with a full card number. Default false. */
                    raw_card_number?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            rule: number | null;
                            account: string | null;
                            fallback: string[];
                            reason: string;
                            candidates: {
                                id: string;
                                left_out: string | null;
                                success_rate: number | null;
                                latency_ms: number | null;
                            }[];
                        };
                    };
                };
            };
        };
    };
    getCustomers: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `uuid`, `reference_number`, `name`, `email`, `phone`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            customers: components["schemas"]["Customer"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postCustomers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "customer": {
                 *         "reference_number": "c-1001",
                 *         "name": "Chan Tai Man",
                 *         "phone": "91234567",
                 *         "dial_code": "+852",
                 *         "email": "chan@example.com"
                 *       }
                 *     }
                 */
                "application/json": {
                    customer: {
                        /** @description Your unique number for the customer. It never changes. */
                        reference_number: string;
                        name: string;
                        phone: string;
                        /** @description An empty text removes the value. */
                        email?: string;
                        /** @description Country code of the mobile phone. An empty text removes the value. */
                        dial_code?: string;
                        /** @description An empty text removes the value. */
                        company_name?: string;
                        /** @enum {string} */
                        default_payment_method?: "Credit Card" | "WalletA Pay" | "WalletB";
                        messages?: components["schemas"]["CustomerMessagesEdit"];
                        /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
                        metadata?: {
                            [key: string]: string | null;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            customer: components["schemas"]["Customer"];
                        };
                    };
                };
            };
        };
    };
    getCustomersById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            customer: components["schemas"]["Customer"];
                        };
                    };
                };
            };
        };
    };
    putCustomersById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Chan Tai Man",
                 *       "phone": "91234567",
                 *       "email": "chan.tai.man@example.com"
                 *     }
                 */
                "application/json": {
                    name: string;
                    phone: string;
                    /** @description An empty text removes the value. */
                    email?: string;
                    /** @description Country code of the mobile phone. An empty text removes the value. */
                    dial_code?: string;
                    /** @description An empty text removes the value. */
                    company_name?: string;
                    /** @enum {string} */
                    default_payment_method?: "Credit Card" | "WalletA Pay" | "WalletB";
                    messages?: components["schemas"]["CustomerMessagesEdit"];
                    /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
                    metadata?: {
                        [key: string]: string | null;
                    };
                    /** @description An active token of the customer that becomes the default. */
                    default_payment_token?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            customer: components["schemas"]["Customer"];
                        };
                    };
                };
            };
        };
    };
    getCustomersRefById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            customer: components["schemas"]["Customer"];
                        };
                    };
                };
            };
        };
    };
    postCustomersByUuidSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            customer_session: components["schemas"]["CustomerSession"];
                        };
                    };
                };
            };
        };
    };
    getCustomersByUuidPaymentTokens: {
        parameters: {
            query?: {
                token_type?: "Credit Card" | "WalletA Pay" | "WalletB";
            };
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            payment_tokens: components["schemas"]["PaymentToken"][] | null;
                        };
                    };
                };
            };
        };
    };
    postCustomersByUuidPaymentTokens: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "payment_token": {
                 *         "token_type": "CreditCard",
                 *         "credit_card": {
                 *           "number": "4242424242424242",
                 *           "exp_month": "12",
                 *           "exp_year": "2030",
                 *           "cvc": "123",
                 *           "holder_name": "CHAN TAI MAN",
                 *           "billing_currency": "HKD"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    payment_token: {
                        /** @enum {string} */
                        token_type: "CreditCard" | "WalletAPayAutoDebit" | "WalletBAutoDebit";
                        credit_card?: {
                            /** @description 12 to 19 digits. Stored encrypted. */
                            number: string;
                            /** @description Month, 01 to 12. */
                            exp_month: string;
                            /** @description Year of two or four digits. */
                            exp_year: string;
                            /** @description 3 or 4 digits. Never stored. */
                            cvc: string;
                            holder_name: string;
                            /** @description ISO 4217. */
                            billing_currency: string;
                        };
                        acquirer_token?: {
                            /** @description Your account at the acquirer that has the token. */
                            acquirer_account_id: string;
                            /** @description Its id there, such as `pm_…` at Stripe. */
                            id: string;
                        };
                        /** @description Of a wallet: the account that makes the agreement. Default: the one that routing chooses. */
                        acquirer_account_id?: string;
                        /** @description Whether the token becomes the default. The first active token does, unless this is false. */
                        default?: boolean;
                        /**
                         * Format: uri
                         * @description Where the payer goes after the verification page.
                         */
                        return_url?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            payment_token: components["schemas"]["PaymentToken"];
                        };
                    };
                };
            };
        };
    };
    deleteCustomersByUuidPaymentTokensByToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            payment_token: components["schemas"]["PaymentToken"];
                        };
                    };
                };
            };
        };
    };
    getCustomersByUuidNotes: {
        parameters: {
            query?: {
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            notes: components["schemas"]["CustomerNote"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postCustomersByUuidNotes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": {
                 *         "text": "Asked for an invoice to another address"
                 *       }
                 *     }
                 */
                "application/json": {
                    note: components["schemas"]["NewCustomerNote"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            note: components["schemas"]["CustomerNote"];
                        };
                    };
                };
            };
        };
    };
    deleteCustomersByUuidNotesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            note: components["schemas"]["CustomerNote"];
                        };
                    };
                };
            };
        };
    };
    getLegalEntities: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `reference_id`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            legal_entities: components["schemas"]["LegalEntity"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postLegalEntities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "legal_entity": {
                 *         "name": "Example GmbH",
                 *         "address": {
                 *           "line1": "Hauptstr. 1",
                 *           "postal_code": "10115",
                 *           "city": "Berlin",
                 *           "country": "DE"
                 *         },
                 *         "tax_ids": [
                 *           {
                 *             "type": "vat",
                 *             "value": "DE136695976"
                 *           }
                 *         ],
                 *         "registrations": [
                 *           {
                 *             "country": "DE"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    legal_entity: components["schemas"]["NewLegalEntity"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            legal_entity: components["schemas"]["LegalEntity"];
                        };
                    };
                };
            };
        };
    };
    getLegalEntitiesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            legal_entity: components["schemas"]["LegalEntity"];
                        };
                    };
                };
            };
        };
    };
    putLegalEntitiesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "legal_entity": {
                 *         "footer": "Register court Berlin, HRB 12345"
                 *       }
                 *     }
                 */
                "application/json": {
                    legal_entity: components["schemas"]["LegalEntityEdit"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            legal_entity: components["schemas"]["LegalEntity"];
                        };
                    };
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            settings: components["schemas"]["BillingSettings"];
                        };
                    };
                };
            };
        };
    };
    putSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "settings": {
                 *         "legal_entity_id": "len_01m82g27rde57v77qfb3qj2d2m",
                 *         "tax": "automatic"
                 *       }
                 *     }
                 */
                "application/json": {
                    settings: components["schemas"]["BillingSettingsEdit"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            settings: components["schemas"]["BillingSettings"];
                        };
                    };
                };
            };
        };
    };
    getCustomersByUuidBillingDetails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            customer_uuid: string;
                            billing_details: components["schemas"]["BillingDetails"];
                        };
                    };
                };
            };
        };
    };
    putCustomersByUuidBillingDetails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "billing_details": {
                 *         "address": {
                 *           "line1": "Ringstr. 2",
                 *           "postal_code": "1010",
                 *           "city": "Wien",
                 *           "country": "AT"
                 *         },
                 *         "tax_ids": [
                 *           {
                 *             "type": "vat",
                 *             "value": "ATU13585627"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    billing_details: components["schemas"]["BillingDetailsEdit"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            customer_uuid: string;
                            billing_details: components["schemas"]["BillingDetails"];
                        };
                    };
                };
            };
        };
    };
    getTaxRates: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `reference_id`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            tax_rates: components["schemas"]["TaxRate"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postTaxRates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tax_rate": {
                 *         "name": "VAT",
                 *         "country": "DE",
                 *         "percentage": 19,
                 *         "valid_from": "2021-01-01"
                 *       }
                 *     }
                 */
                "application/json": {
                    tax_rate: components["schemas"]["NewTaxRate"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            tax_rate: components["schemas"]["TaxRate"];
                        };
                    };
                };
            };
        };
    };
    postTaxRatesImport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "csv": "name,country,percentage,valid_from\nVAT,FR,20,2014-01-01\n",
                 *       "dry_run": true
                 *     }
                 */
                "application/json": {
                    /** @description A header with the names of the members, then a rate a line: name, country, percentage and valid_from, and any of region, category, valid_until and adds. */
                    csv: string;
                    /** @description Checks and stores nothing. */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: components["schemas"]["ImportedTaxRates"];
                    };
                };
            };
        };
    };
    getTaxRatesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            tax_rate: components["schemas"]["TaxRate"];
                        };
                    };
                };
            };
        };
    };
    putTaxRatesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tax_rate": {
                 *         "valid_until": "2027-06-30"
                 *       }
                 *     }
                 */
                "application/json": {
                    tax_rate: components["schemas"]["TaxRateEdit"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            tax_rate: components["schemas"]["TaxRate"];
                        };
                    };
                };
            };
        };
    };
    deleteTaxRatesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            tax_rate: components["schemas"]["TaxRate"];
                        };
                    };
                };
            };
        };
    };
    getExchangeRates: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `date`, `base`, `quote`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            exchange_rates: components["schemas"]["ExchangeRate"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    putExchangeRates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "exchange_rates": [
                 *         {
                 *           "date": "2027-03-05",
                 *           "base": "EUR",
                 *           "quote": "USD",
                 *           "rate": 1.0835
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    exchange_rates: components["schemas"]["NewExchangeRate"][];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            exchange_rates: components["schemas"]["ExchangeRate"][];
                        };
                    };
                };
            };
        };
    };
    getTaxEngine: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            tax_engine: components["schemas"]["TaxEngine"];
                        };
                    };
                };
            };
        };
    };
    putTaxEngine: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tax_engine": {
                 *         "url": "https://tax.example.com/ask",
                 *         "timeout_ms": 2000,
                 *         "on_silence": "rates"
                 *       }
                 *     }
                 */
                "application/json": {
                    tax_engine: components["schemas"]["NewTaxEngine"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            tax_engine: components["schemas"]["TaxEngine"];
                        };
                    };
                };
            };
        };
    };
    deleteTaxEngine: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            tax_engine: components["schemas"]["TaxEngine"];
                        };
                    };
                };
            };
        };
    };
    getOrders: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `number`, `reference_number`, `state`, `correspondence_state`, `currency`, `initial_total`, `created_at`, `customer.uuid`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            orders: components["schemas"]["Order"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postOrders: {
        parameters: {
            query?: {
                /** @description Adds `payment_link`, the page where the payer can pay. */
                with_payment_link?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "order": {
                 *         "reference_number": "o-1001",
                 *         "currency": "HKD",
                 *         "initial_total": 150.5,
                 *         "customer_uuid": "cus_01m82g27rde57v77qfb3qj2d2m",
                 *         "return_url": "https://shop.example.com/done",
                 *         "notify_url": "https://shop.example.com/webhooks"
                 *       }
                 *     }
                 */
                "application/json": {
                    order: {
                        /** @description Your own number of the order, unique in the environment. */
                        reference_number: string;
                        /** @description ISO 4217. */
                        currency: string;
                        /**
                         * Format: decimal
                         * @description Includes tips. Default: the sum of the lines.
                         */
                        initial_total?: Decimal;
                        /**
                         * Format: decimal
                         * @description The part of initial_total that is tips. With line_items: the sum of the RearTips lines.
                         */
                        initial_tips?: Decimal;
                        line_items?: components["schemas"]["NewLineItem"][] | null;
                        due_date?: string | null;
                        /** @description The order takes only payment tokens of this customer. */
                        customer_uuid?: string;
                        /**
                         * Format: uri
                         * @description Where the payment link sends the payer in the end, with order_number, reference_number and result (paid, failed, canceled or expired) added to its query.
                         */
                        return_url?: string;
                        /**
                         * Format: uri
                         * @description Receives the events of the order.
                         */
                        notify_url?: string;
                        timeout?: {
                            /** @description Seconds, or an ISO 8601 duration. */
                            timer: string;
                            /**
                             * Format: uri
                             * @description Where pages send the payer once the time has run out.
                             */
                            url?: string;
                        };
                        /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
                        metadata?: {
                            [key: string]: string | null;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            order: components["schemas"]["Order"];
                            payment_link?: string;
                        };
                    };
                };
            };
        };
    };
    postOrdersCheck: {
        parameters: {
            query?: {
                /** @description Adds `payment_link`, the page where the payer can pay. */
                with_payment_link?: boolean;
                /** @description Adds `download_link`, the invoice or receipt as a PDF. */
                with_download_link?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "order": {
                 *         "reference_number": "o-1001"
                 *       }
                 *     }
                 */
                "application/json": {
                    order?: components["schemas"]["OrderIdentifiers"];
                    transaction?: {
                        uuid: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            order: components["schemas"]["Order"];
                            payment_link?: string;
                            download_link?: string;
                        };
                    };
                };
            };
        };
    };
    postOrdersVoid: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "order": {
                 *         "reference_number": "o-1001"
                 *       }
                 *     }
                 */
                "application/json": {
                    order: components["schemas"]["OrderIdentifiers"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            order: components["schemas"]["Order"];
                        };
                    };
                };
            };
        };
    };
    postOrdersPay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "order": {
                 *         "reference_number": "o-1001"
                 *       },
                 *       "transaction": {
                 *         "type": "Sales",
                 *         "payment_token": "pmt_01m82g27xvez0b1rsa33wcz54b",
                 *         "reference_id": "o-1001-1"
                 *       }
                 *     }
                 */
                "application/json": {
                    order: components["schemas"]["OrderIdentifiers"];
                    transaction: {
                        /** @enum {string} */
                        type: "Sales" | "Authorization";
                        /**
                         * Format: decimal
                         * @description Default: all that is left.
                         */
                        amount?: Decimal;
                        /** @description A stored token. Else payment_method. */
                        payment_token?: string;
                        /**
                         * @description The payer confirms in an app. Sales only, without payment_token.
                         * @enum {string}
                         */
                        payment_method?: "wallet_a_pay" | "wallet_b" | "fps";
                        /**
                         * Format: uri
                         * @description With payment_method: where our page sends the payer in the end, instead of the return_url of the order.
                         */
                        return_url?: string;
                        /**
                         * @description With payment_method: a desktop gets a code to scan, a phone the app. Default desktop.
                         * @enum {string}
                         */
                        payer_device?: "desktop" | "ios" | "android";
                        /** @description Your unique id of the transaction. */
                        reference_id?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            order: components["schemas"]["Order"];
                            transaction: components["schemas"]["Transaction"];
                            next_action?: components["schemas"]["NextAction"];
                        };
                    };
                };
            };
        };
    };
    getTransactions: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `uuid`, `reference_id`, `type`, `state`, `decline_code`, `amount`, `currency`, `created_at`, `value_date`, `acquirer`, `account_id`, `payment_method`, `last_4_digits`, `order_number`, `customer_uuid`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            transactions: components["schemas"]["ListedTransaction"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postTransactionsCapture: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transaction": {
                 *         "uuid": "txn_01m82g28ayenxakn1zm5hzpn5n"
                 *       },
                 *       "amount": 100
                 *     }
                 */
                "application/json": {
                    transaction: components["schemas"]["TransactionIdentifiers"];
                    /**
                     * Format: decimal
                     * @description Default: all that is left.
                     */
                    amount?: Decimal;
                    note?: string | null;
                    /** @description Your unique id of the new transaction. */
                    reference_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            order: components["schemas"]["Order"];
                            transaction: components["schemas"]["Transaction"];
                        };
                    };
                };
            };
        };
    };
    postTransactionsRefund: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transaction": {
                 *         "uuid": "txn_01m82g28ayenxakn1zm5hzpn5n"
                 *       },
                 *       "amount": 20.5,
                 *       "note": "Sent back"
                 *     }
                 */
                "application/json": {
                    transaction: components["schemas"]["TransactionIdentifiers"];
                    /**
                     * Format: decimal
                     * @description Default: all that is left.
                     */
                    amount?: Decimal;
                    note?: string | null;
                    /** @description Your unique id of the new transaction. */
                    reference_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            order: components["schemas"]["Order"];
                            transaction: components["schemas"]["Transaction"];
                        };
                    };
                };
            };
        };
    };
    postTransactionsVoid: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transaction": {
                 *         "uuid": "txn_01m82g28ayenxakn1zm5hzpn5n"
                 *       }
                 *     }
                 */
                "application/json": {
                    transaction: components["schemas"]["TransactionIdentifiers"];
                    /**
                     * Format: decimal
                     * @description Optional. It must be the whole amount.
                     */
                    amount?: Decimal;
                    note?: string | null;
                    /** @description Checked and not kept: a void makes no transaction of its own. */
                    reference_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            order: components["schemas"]["Order"];
                            transaction: components["schemas"]["Transaction"];
                        };
                    };
                };
            };
        };
    };
    postTransactionsDecide: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transaction": {
                 *         "uuid": "txn_01m82g28ayenxakn1zm5hzpn5n"
                 *       },
                 *       "outcome": "succeeded",
                 *       "new_gateway_txn_id": "re_3Q0Xx2eZvKYlo2C0"
                 *     }
                 */
                "application/json": {
                    transaction: components["schemas"]["TransactionIdentifiers"];
                    /** @enum {string} */
                    outcome: "succeeded" | "failed";
                    /** @description The id that you found at the acquirer. */
                    new_gateway_txn_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            order: components["schemas"]["Order"];
                            transaction: components["schemas"]["Transaction"];
                        };
                    };
                };
            };
        };
    };
    getCustomersByUuidSpend: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            spend: components["schemas"]["Spend"][];
                        };
                    };
                };
            };
        };
    };
    getOrdersSpreadsheetCsv: {
        parameters: {
            query?: {
                /** @description Local days of the business up to today, instead of `from` and `to`. Default `this_month`. */
                period?: "today" | "last_7_days" | "last_30_days" | "this_month" | "last_month" | "this_year" | "last_year";
                /** @description The first local day of the business. */
                from?: string;
                /** @description The last local day, included; today when omitted. At most 1096 days in all. */
                to?: string;
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `number`, `reference_number`, `state`, `correspondence_state`, `currency`, `initial_total`, `created_at`, `customer.uuid`. */
                filter?: string;
                /** @description Which columns, in their order, separated by commas: created_at, reference_number, customer, state, correspondence_state, initial_total, paid_total, refunded_total, credited_total, amount_due, currency, due_date, paid_on, invoice_number, source, plan_id, number. */
                columns?: string;
                /** @description Of the names of columns, default `en`. */
                language?: "en" | "zh-Hant" | "zh-Hans";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getTransactionsSpreadsheetCsv: {
        parameters: {
            query?: {
                /** @description Local days of the business up to today, instead of `from` and `to`. Default `this_month`. */
                period?: "today" | "last_7_days" | "last_30_days" | "this_month" | "last_month" | "this_year" | "last_year";
                /** @description The first local day of the business. */
                from?: string;
                /** @description The last local day, included; today when omitted. At most 1096 days in all. */
                to?: string;
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `uuid`, `reference_id`, `type`, `state`, `decline_code`, `amount`, `currency`, `created_at`, `value_date`, `acquirer`, `account_id`, `payment_method`, `last_4_digits`, `order_number`, `customer_uuid`. */
                filter?: string;
                /** @description Which columns, in their order, separated by commas: created_at, succeeded_at, value_date, returned_on, type, state, amount, counted_amount, currency, customer, order_reference, order_number, invoice_number, payment_method, card, acquirer, acquirer_reference, decline_code, note, uuid. */
                columns?: string;
                /** @description Of the names of columns, default `en`. */
                language?: "en" | "zh-Hant" | "zh-Hans";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getDisputes: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `account_id`, `reference`, `order_number`, `state`, `reason`, `currency`, `amount`, `respond_by`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            disputes: components["schemas"]["Dispute"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getDisputesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            dispute: components["schemas"]["Dispute"];
                        };
                    };
                };
            };
        };
    };
    putDisputesByIdEvidence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "evidence": {
                 *         "uncategorized_text": "The parcel was delivered on 3 March.",
                 *         "receipt": {
                 *           "name": "receipt.pdf",
                 *           "content_type": "application/pdf",
                 *           "content": "JVBERi0xLjcK"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Texts and files by the names that the acquirer takes, such as `uncategorized_text`. Members are merged one by one; null removes one. */
                    evidence: {
                        [key: string]: string | components["schemas"]["NewEvidenceFile"] | null;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            dispute: components["schemas"]["Dispute"];
                        };
                    };
                };
            };
        };
    };
    postDisputesByIdSubmit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            dispute: components["schemas"]["Dispute"];
                        };
                    };
                };
            };
        };
    };
    getReconciliations: {
        parameters: {
            query?: {
                acquirer_account_id?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            reconciliations: components["schemas"]["Reconciliation"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postReconciliationsRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "acquirer_account_id": "acc_01m82g27rde57v77qfb3qj2d2m"
                 *     }
                 */
                "application/json": {
                    /** @description All active accounts when omitted. In test environments `simulator` pays out first. */
                    acquirer_account_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            reconciliation_runs: components["schemas"]["ReconciliationRun"][];
                        };
                    };
                };
            };
        };
    };
    getReconciliationsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            reconciliation: components["schemas"]["Reconciliation"];
                        };
                    };
                };
            };
        };
    };
    getReconciliationsByIdEntries: {
        parameters: {
            query?: {
                result?: "matched" | "missing_here" | "missing_there" | "different_amount" | "fee" | "other";
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            entries: components["schemas"]["ReconciliationEntry"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getReconciliationsByIdReportCsv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getInvoices: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `reference_id`, `type`, `number`, `payment_reference`, `state`, `overdue`, `issue_date`, `due_date`, `total`, `amount_due`, `currency`, `legal_entity_id`, `customer.uuid`, `buyer_tax_id`, `plan_id`, `order_number`, `invoice_id`, `created_at`. */
                filter?: string;
                /** @description The field that the list is sorted by; `-` sorts descending. Default: newest first. */
                sort?: "issue_date" | "-issue_date" | "due_date" | "-due_date" | "total" | "-total" | "amount_due" | "-amount_due" | "number" | "-number";
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            invoices: (components["schemas"]["Invoice"] | components["schemas"]["InvoiceDraft"])[];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postInvoices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "invoice": {
                 *         "customer_uuid": "cus_01j9z3k6v8q4t2n7b5m1c0x4hr",
                 *         "currency": "EUR",
                 *         "lines": [
                 *           {
                 *             "label": "Set-up",
                 *             "quantity": 2,
                 *             "unit_amount": 150
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    invoice: components["schemas"]["NewInvoice"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            invoice: components["schemas"]["Invoice"] | components["schemas"]["InvoiceDraft"];
                        };
                    };
                };
            };
        };
    };
    getInvoicesTotals: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `reference_id`, `type`, `number`, `payment_reference`, `state`, `overdue`, `issue_date`, `due_date`, `total`, `amount_due`, `currency`, `legal_entity_id`, `customer.uuid`, `buyer_tax_id`, `plan_id`, `order_number`, `invoice_id`, `created_at`. */
                filter?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            totals: components["schemas"]["InvoiceTotals"][];
                        };
                    };
                };
            };
        };
    };
    postInvoicesPreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "invoice": {
                 *         "customer_uuid": "cus_01j9z3k6v8q4t2n7b5m1c0x4hr",
                 *         "currency": "EUR",
                 *         "lines": [
                 *           {
                 *             "label": "Set-up",
                 *             "quantity": 2,
                 *             "unit_amount": 150
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    invoice: components["schemas"]["NewInvoice"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            invoice: components["schemas"]["InvoicePreview"];
                        };
                    };
                };
            };
        };
    };
    getInvoicesExportZip: {
        parameters: {
            query: {
                /** @description By the dates of issue, which are in the business's zone. */
                month: string;
                /** @description Default `pdf`. `ubl`, `cii`, `peppol` and `xrechnung` add the XML to each PDF, `facturx` makes the PDFs carry it. A document that lacks something for it is a PDF only. */
                format?: "pdf" | "ubl" | "cii" | "facturx" | "peppol" | "xrechnung";
                /** @description Only documents of this seller. */
                legal_entity_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
        };
    };
    getInvoicesExport: {
        parameters: {
            query: {
                format: "datev" | "xero" | "quickbooks";
                /** @description What the file has: `documents` (the default for Xero and QuickBooks), or what was paid and refunded on the account `bank` or `cash`. Default for DATEV: all. */
                records?: "documents" | "bank" | "cash";
                /** @description Local days of the business up to today, instead of `from` and `to`. Default `this_month`. */
                period?: "today" | "last_7_days" | "last_30_days" | "this_month" | "last_month" | "this_year" | "last_year";
                /** @description The first local day of the business. */
                from?: string;
                /** @description The last local day, included; today when omitted. At most 1096 days in all. */
                to?: string;
                /** @description Only documents in this currency (ISO 4217). */
                currency?: string;
                /** @description Only documents of this seller. */
                legal_entity_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getInvoicesSpreadsheetCsv: {
        parameters: {
            query?: {
                /** @description Local days of the business up to today, instead of `from` and `to`. Default `this_month`. */
                period?: "today" | "last_7_days" | "last_30_days" | "this_month" | "last_month" | "this_year" | "last_year";
                /** @description The first local day of the business. */
                from?: string;
                /** @description The last local day, included; today when omitted. At most 1096 days in all. */
                to?: string;
                /** @description Only documents in this currency (ISO 4217). */
                currency?: string;
                /** @description Only documents of this seller. */
                legal_entity_id?: string;
                /** @description Which columns, in their order, separated by commas: number, type, issue_date, due_date, state, customer, buyer_tax_id, country, currency, net_total, tax_total, total, rates, paid, paid_on, amount_due, order_number, reference, corrected_number, tax_currency, tax_total_in_tax_currency, exchange_rate, exchange_rate_base, exchange_rate_date. */
                columns?: string;
                /** @description Of the names of columns, default `en`. */
                language?: "en" | "zh-Hant" | "zh-Hans";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getInvoicesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            invoice: components["schemas"]["Invoice"] | components["schemas"]["InvoiceDraft"];
                        };
                    };
                };
            };
        };
    };
    putInvoicesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "invoice": {
                 *         "customer_uuid": "cus_01j9z3k6v8q4t2n7b5m1c0x4hr",
                 *         "currency": "EUR",
                 *         "lines": [
                 *           {
                 *             "label": "Set-up",
                 *             "quantity": 2,
                 *             "unit_amount": 150
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    invoice: components["schemas"]["DraftInvoice"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            invoice: components["schemas"]["InvoiceDraft"];
                        };
                    };
                };
            };
        };
    };
    deleteInvoicesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            invoice: components["schemas"]["InvoiceDraft"];
                        };
                    };
                };
            };
        };
    };
    postInvoicesByIdIssue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            invoice: components["schemas"]["Invoice"];
                        };
                    };
                };
            };
        };
    };
    postInvoicesByIdReissue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Wrong address"
                 *     }
                 */
                "application/json": components["schemas"]["Reissue"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            credit_note: components["schemas"]["Invoice"];
                            invoice: components["schemas"]["Invoice"];
                        };
                    };
                };
            };
        };
    };
    postInvoicesByIdReissuePreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Wrong address"
                 *     }
                 */
                "application/json": components["schemas"]["Reissue"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            credit_note: components["schemas"]["InvoicePreview"];
                            invoice: components["schemas"]["InvoicePreview"];
                        };
                    };
                };
            };
        };
    };
    getInvoicesByIdDocument: {
        parameters: {
            query?: {
                /** @description Default `pdf`. */
                format?: "pdf" | "ubl" | "cii" | "facturx" | "peppol" | "xrechnung";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    postInvoicesByIdCreditNotes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credit_note": {
                 *         "amount": 20,
                 *         "reason": "Two days without service",
                 *         "refund": "payment"
                 *       }
                 *     }
                 */
                "application/json": {
                    credit_note: components["schemas"]["NewCreditNote"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            credit_note: components["schemas"]["Invoice"];
                            invoice: components["schemas"]["Invoice"];
                        };
                    };
                };
            };
        };
    };
    getInvoicesTaxes: {
        parameters: {
            query?: {
                /** @description Local days of the business up to today, instead of `from` and `to`. Default `this_month`. */
                period?: "today" | "last_7_days" | "last_30_days" | "this_month" | "last_month" | "this_year" | "last_year";
                /** @description The first local day of the business. */
                from?: string;
                /** @description The last local day, included; today when omitted. At most 1096 days in all. */
                to?: string;
                /** @description Only documents in this currency (ISO 4217). */
                currency?: string;
                /** @description Only documents of this seller. */
                legal_entity_id?: string;
                /** @description Default `json`. `csv` sends every row, while they are read. */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            /**
                             * Format: date
                             * @description A local day of the business.
                             */
                            from: string;
                            /**
                             * Format: date
                             * @description Included.
                             */
                            to: string;
                            taxes: components["schemas"]["TaxSum"][];
                        };
                    };
                };
            };
        };
    };
    getInvoicesTaxesRows: {
        parameters: {
            query?: {
                /** @description Local days of the business up to today, instead of `from` and `to`. Default `this_month`. */
                period?: "today" | "last_7_days" | "last_30_days" | "this_month" | "last_month" | "this_year" | "last_year";
                /** @description The first local day of the business. */
                from?: string;
                /** @description The last local day, included; today when omitted. At most 1096 days in all. */
                to?: string;
                /** @description Only documents in this currency (ISO 4217). */
                currency?: string;
                /** @description Only documents of this seller. */
                legal_entity_id?: string;
                /** @description Default `json`. `csv` sends every row, while they are read. */
                format?: "json" | "csv";
                /** @description Only rows with it. */
                country?: string;
                /** @description Only rows with it; empty for those without. */
                region?: string;
                /** @description Only rows with it. */
                treatment?: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
                /** @description Only rows with it. */
                name?: string;
                /** @description Only rows with it, such as `19`. */
                percentage?: string;
                /** @description Only rows with it; empty for those without. */
                category?: string;
                /** @description Documents of a page: at most 100, which is the default. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            rows: components["schemas"]["TaxRow"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getInvoicesBuyers: {
        parameters: {
            query?: {
                /** @description Local days of the business up to today, instead of `from` and `to`. Default `this_month`. */
                period?: "today" | "last_7_days" | "last_30_days" | "this_month" | "last_month" | "this_year" | "last_year";
                /** @description The first local day of the business. */
                from?: string;
                /** @description The last local day, included; today when omitted. At most 1096 days in all. */
                to?: string;
                /** @description Only documents in this currency (ISO 4217). */
                currency?: string;
                /** @description Only documents of this seller. */
                legal_entity_id?: string;
                /** @description Default `json`. `csv` sends every row, while they are read. */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            /**
                             * Format: date
                             * @description A local day of the business.
                             */
                            from: string;
                            /**
                             * Format: date
                             * @description Included.
                             */
                            to: string;
                            buyers: components["schemas"]["BuyerSum"][];
                        };
                    };
                };
            };
        };
    };
    getInvoicesBuyersRows: {
        parameters: {
            query?: {
                /** @description Local days of the business up to today, instead of `from` and `to`. Default `this_month`. */
                period?: "today" | "last_7_days" | "last_30_days" | "this_month" | "last_month" | "this_year" | "last_year";
                /** @description The first local day of the business. */
                from?: string;
                /** @description The last local day, included; today when omitted. At most 1096 days in all. */
                to?: string;
                /** @description Only documents in this currency (ISO 4217). */
                currency?: string;
                /** @description Only documents of this seller. */
                legal_entity_id?: string;
                /** @description Default `json`. `csv` sends every row, while they are read. */
                format?: "json" | "csv";
                /** @description Only rows with it; empty for those without. */
                buyer_tax_id?: string;
                /** @description Only rows with it; empty for those without. */
                buyer_country?: string;
                /** @description Only rows with it. */
                buyer_name?: string;
                /** @description Only rows with it. */
                treatment?: "exempt" | "reverse_charge" | "taxed" | "no_rate" | "not_registered";
                /** @description Documents of a page: at most 100, which is the default. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            rows: components["schemas"]["BuyerRow"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getInvoicesOpen: {
        parameters: {
            query?: {
                /** @description As it was at the end of this local day; today when omitted. */
                at?: string;
                /** @description Only documents in this currency (ISO 4217). */
                currency?: string;
                /** @description Only documents of this seller. */
                legal_entity_id?: string;
                /** @description Default `json`. `csv` sends every row, while they are read. */
                format?: "json" | "csv";
                /** @description Invoices of a page: at most 1000, which is the default. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            open: components["schemas"]["OpenItem"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getInvoicesOpenRows: {
        parameters: {
            query?: {
                /** @description As it was at the end of this local day; today when omitted. */
                at?: string;
                /** @description Only documents in this currency (ISO 4217). */
                currency?: string;
                /** @description Only documents of this seller. */
                legal_entity_id?: string;
                /** @description Default `json`. `csv` sends every row, while they are read. */
                format?: "json" | "csv";
                /** @description Invoices of a page: at most 1000, which is the default. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            rows: components["schemas"]["OpenRow"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getInvoicesOpenAges: {
        parameters: {
            query?: {
                /** @description As it was at the end of this local day; today when omitted. */
                at?: string;
                /** @description Only documents in this currency (ISO 4217). */
                currency?: string;
                /** @description Only documents of this seller. */
                legal_entity_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            /**
                             * Format: date
                             * @description The end of this local day.
                             */
                            at: string;
                            ages: components["schemas"]["OpenAges"][];
                        };
                    };
                };
            };
        };
    };
    getBankStatements: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `reference_id`, `format`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bank_statements: components["schemas"]["BankStatement"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postBankStatements: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bank_statement": {
                 *         "format": "csv",
                 *         "content": "booking_date,amount,currency,debtor_name,remittance\n2027-06-15,119.00,EUR,Ada Lovelace,INV-2027-000042\n"
                 *       }
                 *     }
                 */
                "application/json": {
                    bank_statement: components["schemas"]["NewBankStatement"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bank_statement: components["schemas"]["BankStatement"];
                        };
                    };
                };
            };
        };
    };
    getBankStatementsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bank_statement: components["schemas"]["BankStatement"];
                        };
                    };
                };
            };
        };
    };
    getBankEntries: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `state`, `booking_date`, `counted_on`, `amount`, `currency`, `debtor_name`, `debtor_iban`, `bank_reference`, `remittance`, `bank_statement_id`, `invoice_id`, `order_number`, `customer.uuid`, `created_at`. */
                filter?: string;
                /** @description Adds `suggestions` to each entry: what it may be matched with by hand. */
                suggestions?: boolean;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bank_entries: components["schemas"]["BankEntry"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getBankEntriesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bank_entry: components["schemas"]["BankEntry"];
                        };
                    };
                };
            };
        };
    };
    postBankEntriesByIdMatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "invoices": [
                 *         {
                 *           "id": "inv_01j9z3k6v8q4t2n7b5m1c0x4hr",
                 *           "amount": 119
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    invoices: {
                        id: string;
                        /**
                         * Format: decimal
                         * @description All sum to the bank entry.
                         */
                        amount: Decimal;
                    }[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bank_entry: components["schemas"]["BankEntry"];
                        };
                    };
                };
            };
        };
    };
    postBankEntriesByIdUnmatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bank_entry: components["schemas"]["BankEntry"];
                        };
                    };
                };
            };
        };
    };
    postBankEntriesByIdIgnore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bank_entry: components["schemas"]["BankEntry"];
                        };
                    };
                };
            };
        };
    };
    postInvoicesByIdPayments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "payment": {
                 *         "amount": 119,
                 *         "method": "cheque",
                 *         "value_date": "2027-06-15",
                 *         "reference": "004711"
                 *       }
                 *     }
                 */
                "application/json": {
                    payment: components["schemas"]["NewPaymentByHand"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            invoice: components["schemas"]["Invoice"];
                            transaction: components["schemas"]["Transaction"];
                        };
                    };
                };
            };
        };
    };
    postTransactionsByUuidUndo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            invoice?: components["schemas"]["Invoice"];
                            order: components["schemas"]["Order"];
                            transaction: components["schemas"]["Transaction"];
                        };
                    };
                };
            };
        };
    };
    postOrdersByNumberRepayments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "repayment": {
                 *         "amount": 20,
                 *         "value_date": "2027-06-18"
                 *       }
                 *     }
                 */
                "application/json": {
                    repayment: components["schemas"]["NewRepayment"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            order: components["schemas"]["Order"];
                            /** @description A refund of each payment, newest first. */
                            transactions: components["schemas"]["Transaction"][];
                        };
                    };
                };
            };
        };
    };
    postOrdersByNumberOverpayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan_id": "rpl_01j9z3k6v8q4t2n7b5m1c0x4hr"
                 *     }
                 */
                "application/json": {
                    plan_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            order: components["schemas"]["Order"];
                        };
                    };
                };
            };
        };
    };
    postInvoicesByIdWriteOff: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 0.35,
                 *       "reason": "Bank charges"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: decimal
                     * @description Default all that is due.
                     */
                    amount?: Decimal;
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            invoice: components["schemas"]["Invoice"];
                            order: components["schemas"]["Order"];
                        };
                    };
                };
            };
        };
    };
    getRecurringPaymentsItems: {
        parameters: {
            query?: {
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            recurring_items: components["schemas"]["RecurringItem"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postRecurringPaymentsItems: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "recurring_item": {
                 *         "label": "Membership",
                 *         "price": 99,
                 *         "currency": "HKD"
                 *       }
                 *     }
                 */
                "application/json": {
                    recurring_item: {
                        label: string;
                        /** Format: decimal */
                        price: Decimal;
                        /** @description ISO 4217. */
                        currency: string;
                        reference_id?: string;
                        description?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            recurring_item: components["schemas"]["RecurringItem"];
                        };
                    };
                };
            };
        };
    };
    getRecurringPaymentsBillingConfigs: {
        parameters: {
            query?: {
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            recurring_billing_configs: components["schemas"]["RecurringBillingConfig"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postRecurringPaymentsBillingConfigs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "recurring_billing_config": {
                 *         "billing_interval": "month",
                 *         "billing_type": "calendar",
                 *         "billing_day_of_month": 1,
                 *         "billing_proration_enabled": true
                 *       }
                 *     }
                 */
                "application/json": {
                    recurring_billing_config: {
                        /** @enum {string} */
                        billing_interval: "day" | "week" | "month" | "year";
                        /** @description Default 1. */
                        interval_count?: number;
                        /**
                         * @description anniversary: on the day of the start. calendar: on billing_day_of_month of months or years.
                         * @enum {string}
                         */
                        billing_type: "anniversary" | "calendar";
                        /** @description For billing_type calendar with billing_interval year only. */
                        billing_month?: number;
                        /** @description For billing_type calendar only. In a shorter month the last day counts. */
                        billing_day_of_month?: number;
                        /** @description For billing_type calendar only: bills the days before the first date in proportion. Default false. */
                        billing_proration_enabled?: boolean;
                        description?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            recurring_billing_config: components["schemas"]["RecurringBillingConfig"];
                        };
                    };
                };
            };
        };
    };
    getRecurringPaymentsPlan: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `name`, `reference_number`, `customer.uuid`, `customer.reference_number`, `state`, `created_at`, `next_execute_time`, `dunning_policy_id`, `price_id`, `coupon_id`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plans: components["schemas"]["RecurringPlan"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postRecurringPaymentsPlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan": {
                 *         "name": "Membership",
                 *         "reference_number": "m-1001",
                 *         "customer_uuid": "cus_01m82g27rde57v77qfb3qj2d2m",
                 *         "default_collection_method": "charge_automatically",
                 *         "payment_retry_count": 3,
                 *         "payment_retry_day_period": 2,
                 *         "grace_period": 7,
                 *         "recurring_cycles": [
                 *           {
                 *             "billing_count": null,
                 *             "recurring_billing_config": "FREQ=MONTHLY",
                 *             "recurring_items": [
                 *               {
                 *                 "recurring_item_id": "rit_01m82g28fyf0nvy1g0k3jq9x6r",
                 *                 "quantity": 1
                 *               }
                 *             ]
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    plan: components["schemas"]["NewRecurringPlan"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["RecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    getRecurringPaymentsPlanById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["RecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    putRecurringPaymentsPlanById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "plan": {
                 *         "payment_retry_count": 4,
                 *         "callback_url": "https://shop.example.com/webhooks"
                 *       }
                 *     }
                 */
                "application/json": {
                    plan?: {
                        name?: string;
                        /** @enum {string} */
                        default_collection_method?: "charge_automatically";
                        /** @description All attempts of one order, the first included. */
                        payment_retry_count?: number;
                        /** @description Local calendar days between attempts. */
                        payment_retry_day_period?: number;
                        dunning_policy_id?: string | null;
                        /** Format: uri */
                        callback_url?: string;
                        /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
                        metadata?: {
                            [key: string]: string | null;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["RecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    postRecurringPaymentsPlanPreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan": {
                 *         "name": "Membership",
                 *         "reference_number": "m-1001",
                 *         "customer_uuid": "cus_01m82g27rde57v77qfb3qj2d2m",
                 *         "default_collection_method": "charge_automatically",
                 *         "payment_retry_count": 3,
                 *         "payment_retry_day_period": 2,
                 *         "grace_period": 7,
                 *         "recurring_cycles": [
                 *           {
                 *             "billing_count": null,
                 *             "recurring_billing_config": "FREQ=MONTHLY",
                 *             "recurring_items": [
                 *               {
                 *                 "recurring_item_id": "rit_01m82g28fyf0nvy1g0k3jq9x6r",
                 *                 "quantity": 1
                 *               }
                 *             ]
                 *           }
                 *         ]
                 *       },
                 *       "count": 12
                 *     }
                 */
                "application/json": {
                    plan: components["schemas"]["NewRecurringPlan"];
                    /** @description How many orders. Default 12. */
                    count?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            orders: {
                                /** Format: date-time */
                                date: string;
                                /** Format: decimal */
                                amount: Decimal;
                                currency: string;
                                recurring_cycle: components["schemas"]["RecurringCycle"];
                                line_items: {
                                    /** @enum {string} */
                                    purchasable_type: "Charge";
                                    label: string;
                                    /** Format: decimal */
                                    price: Decimal;
                                    quantity: number;
                                    /** Format: decimal */
                                    total: Decimal;
                                    /**
                                     * @description What the line of a plan bills.
                                     * @enum {string}
                                     */
                                    kind?: "item" | "usage" | "correction" | "proration_credit" | "proration_charge" | "proration" | "discount" | "coupon" | "tax" | "balance" | "credit" | "to_credit";
                                    /** @description What time a line of a plan covers. */
                                    period?: {
                                        /** Format: date-time */
                                        start: string;
                                        /** Format: date-time */
                                        end: string;
                                    };
                                    recurring_item_id?: string;
                                    /** @description The quantity that the amount was computed from. */
                                    units?: number;
                                }[];
                                tax: components["schemas"]["OrderTax"] | null;
                            }[];
                        };
                    };
                };
            };
        };
    };
    postRecurringPaymentsOrders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "customer_uuid": "cus_01m82g27rde57v77qfb3qj2d2m",
                 *       "order": {
                 *         "number": "ord_01m82g2860ebkb0a930xv66dfr"
                 *       }
                 *     }
                 */
                "application/json": {
                    customer_uuid: string;
                    order: {
                        number: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            customer: components["schemas"]["Customer"];
                            recurring_cycle: {
                                recurring_billing_config: components["schemas"]["RecurringBillingConfig"];
                                recurring_items: components["schemas"]["RecurringItem"][];
                                /** Format: decimal */
                                discount_amount: Decimal;
                            };
                            order: components["schemas"]["RecurringOrder"];
                        };
                    };
                };
            };
        };
    };
    postRecurringPaymentsPlanByIdPause: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "until": "2031-03-01"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description When the plan resumes by itself: a time as 2026-01-31T09:30:00Z (RFC 3339) or a date as 2026-01-31.
                     * @example 2031-01-31T09:30:00Z
                     */
                    until?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["RecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    postRecurringPaymentsPlanByIdResume: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["RecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    postRecurringPaymentsPlanByIdRetry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "order_number": "ord_01m82g2860ebkb0a930xv66dfr"
                 *     }
                 */
                "application/json": {
                    /** @description Default: every open order of the plan whose attempts are not used up. */
                    order_number?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["RecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    postRecurringPaymentsPlanByIdCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "at_period_end": true
                 *     }
                 */
                "application/json": {
                    /** @description Default false: at once. */
                    at_period_end?: boolean;
                    /**
                     * @description keep (default), or refund: what was billed for the days that are left lowers what is unpaid, and the rest is refunded. At once only.
                     * @enum {string}
                     */
                    unused?: "keep" | "refund";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["RecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    postRecurringPaymentsPlanByIdChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "change": {
                 *         "recurring_items": [
                 *           {
                 *             "recurring_item_id": "rit_01m82g28fyf0nvy1g0k3jq9x6r",
                 *             "quantity": 5
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    change: components["schemas"]["PlanChangeRequest"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["RecurringPlan"];
                            change: components["schemas"]["PlanChange"];
                            order?: components["schemas"]["Order"];
                        };
                    };
                };
            };
        };
    };
    deleteRecurringPaymentsPlanByIdChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["RecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    postRecurringPaymentsPlanByIdChangePreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "change": {
                 *         "recurring_items": [
                 *           {
                 *             "recurring_item_id": "rit_01m82g28fyf0nvy1g0k3jq9x6r",
                 *             "quantity": 5
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    change: components["schemas"]["PlanChangeRequest"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            change: components["schemas"]["PlanChange"];
                            orders: {
                                /** Format: date-time */
                                date: string;
                                /** Format: decimal */
                                amount: Decimal;
                                currency: string;
                                recurring_cycle: components["schemas"]["RecurringCycle"];
                                line_items: {
                                    /** @enum {string} */
                                    purchasable_type: "Charge";
                                    label: string;
                                    /** Format: decimal */
                                    price: Decimal;
                                    quantity: number;
                                    /** Format: decimal */
                                    total: Decimal;
                                    /**
                                     * @description What the line of a plan bills.
                                     * @enum {string}
                                     */
                                    kind?: "item" | "usage" | "correction" | "proration_credit" | "proration_charge" | "proration" | "discount" | "coupon" | "tax" | "balance" | "credit" | "to_credit";
                                    /** @description What time a line of a plan covers. */
                                    period?: {
                                        /** Format: date-time */
                                        start: string;
                                        /** Format: date-time */
                                        end: string;
                                    };
                                    recurring_item_id?: string;
                                    /** @description The quantity that the amount was computed from. */
                                    units?: number;
                                }[];
                                tax: components["schemas"]["OrderTax"] | null;
                            }[];
                        };
                    };
                };
            };
        };
    };
    postRecurringPaymentsPlanByIdCredit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 50,
                 *       "note": "Thanks for waiting"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: decimal
                     * @description Added to the credit of the plan.
                     */
                    amount: Decimal;
                    note?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["RecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    postRecurringPaymentsPlanByIdUncancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["RecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    postRecurringPaymentsPlanByIdTrial: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "trial": {
                 *         "until": "2031-02-14"
                 *       }
                 *     }
                 */
                "application/json": {
                    trial: {
                        /**
                         * @description The new end of the trial. Not after now: it ends at once: a time as 2026-01-31T09:30:00Z (RFC 3339) or a date as 2026-01-31.
                         * @example 2031-01-31T09:30:00Z
                         */
                        until: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["RecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    postRecurringPaymentsPlanByIdReactivate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "from": "now"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description now (default): the first period begins now. missed: the dates stay, and each period that has begun since the end is billed at once.
                     * @enum {string}
                     */
                    from?: "now" | "missed";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["RecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    getProducts: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `reference_id`, `state`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            products: components["schemas"]["Product"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postProducts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "product": {
                 *         "name": "Team",
                 *         "unit_label": "seat",
                 *         "reference_id": "team"
                 *       }
                 *     }
                 */
                "application/json": {
                    product: components["schemas"]["NewProduct"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            product: components["schemas"]["Product"];
                        };
                    };
                };
            };
        };
    };
    getProductsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            product: components["schemas"]["Product"];
                        };
                    };
                };
            };
        };
    };
    putProductsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "product": {
                 *         "description": "For teams of up to 50 people"
                 *       }
                 *     }
                 */
                "application/json": {
                    product: components["schemas"]["ProductEdit"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            product: components["schemas"]["Product"];
                        };
                    };
                };
            };
        };
    };
    postProductsByIdArchive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            product: components["schemas"]["Product"];
                        };
                    };
                };
            };
        };
    };
    getPrices: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `reference_id`, `product_id`, `currency`, `state`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            prices: components["schemas"]["Price"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postPrices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "price": {
                 *         "product_id": "prd_01m82g27rde57v77qfb3qj2d2m",
                 *         "currency": "EUR",
                 *         "model": "graduated",
                 *         "tiers": [
                 *           {
                 *             "up_to": 10,
                 *             "unit_amount": 9
                 *           },
                 *           {
                 *             "up_to": null,
                 *             "unit_amount": 7.5
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    price: components["schemas"]["NewPrice"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            price: components["schemas"]["Price"];
                        };
                    };
                };
            };
        };
    };
    getPricesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            price: components["schemas"]["Price"];
                        };
                    };
                };
            };
        };
    };
    postPricesByIdVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "price": {
                 *         "unit_amount": 12
                 *       }
                 *     }
                 */
                "application/json": {
                    price: components["schemas"]["NewPriceVersion"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            price: components["schemas"]["Price"];
                        };
                    };
                };
            };
        };
    };
    getCoupons: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `reference_id`, `currency`, `state`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            coupons: components["schemas"]["Coupon"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postCoupons: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "coupon": {
                 *         "name": "Welcome",
                 *         "percent_off": 25,
                 *         "times": 3,
                 *         "max_redemptions": 100
                 *       }
                 *     }
                 */
                "application/json": {
                    coupon: components["schemas"]["NewCoupon"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            coupon: components["schemas"]["Coupon"];
                        };
                    };
                };
            };
        };
    };
    getCouponsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            coupon: components["schemas"]["Coupon"];
                        };
                    };
                };
            };
        };
    };
    putCouponsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "coupon": {
                 *         "max_redemptions": 200
                 *       }
                 *     }
                 */
                "application/json": {
                    coupon: components["schemas"]["CouponEdit"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            coupon: components["schemas"]["Coupon"];
                        };
                    };
                };
            };
        };
    };
    getPromotionCodes: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `reference_id`, `coupon_id`, `code`, `customer.uuid`, `state`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            promotion_codes: components["schemas"]["PromotionCode"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postPromotionCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "promotion_code": {
                 *         "coupon_id": "cpn_01m82g27rde57v77qfb3qj2d2m",
                 *         "code": "WELCOME"
                 *       }
                 *     }
                 */
                "application/json": {
                    promotion_code: components["schemas"]["NewPromotionCode"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            promotion_code: components["schemas"]["PromotionCode"];
                        };
                    };
                };
            };
        };
    };
    getPromotionCodesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            promotion_code: components["schemas"]["PromotionCode"];
                        };
                    };
                };
            };
        };
    };
    postRecurringPaymentsPlanByIdCoupons: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "coupon": "WELCOME"
                 *     }
                 */
                "application/json": {
                    /** @description The id of a coupon, or a promotion code. */
                    coupon: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["RecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    deleteRecurringPaymentsPlanByIdCouponsByCouponId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                coupon_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["RecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    getDunningPolicies: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `reference_id`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            dunning_policies: components["schemas"]["DunningPolicy"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postDunningPolicies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "dunning_policy": {
                 *         "name": "Three tries",
                 *         "steps": [
                 *           {
                 *             "after_days": 3,
                 *             "at_time": "09:00"
                 *           },
                 *           {
                 *             "after_days": 7,
                 *             "at_time": "09:00"
                 *           }
                 *         ],
                 *         "soft": [
                 *           {
                 *             "decline_codes": [
                 *               "insufficient_funds"
                 *             ],
                 *             "steps": [
                 *               {
                 *                 "days_of_month": [
                 *                   1,
                 *                   15
                 *                 ]
                 *               }
                 *             ]
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    dunning_policy: components["schemas"]["NewDunningPolicy"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            dunning_policy: components["schemas"]["DunningPolicy"];
                        };
                    };
                };
            };
        };
    };
    getDunningPoliciesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            dunning_policy: components["schemas"]["DunningPolicy"];
                        };
                    };
                };
            };
        };
    };
    putDunningPoliciesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "dunning_policy": {
                 *         "exhausted": "cancel"
                 *       }
                 *     }
                 */
                "application/json": {
                    dunning_policy: components["schemas"]["DunningPolicyEdit"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            dunning_policy: components["schemas"]["DunningPolicy"];
                        };
                    };
                };
            };
        };
    };
    getMessageSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            message_settings: components["schemas"]["MessageSettings"];
                        };
                    };
                };
            };
        };
    };
    putMessageSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message_settings": {
                 *         "enabled": [
                 *           "receipt",
                 *           "payment_failed"
                 *         ],
                 *         "reply_to": "help@shop.example"
                 *       }
                 *     }
                 */
                "application/json": {
                    message_settings: components["schemas"]["MessageSettingsEdit"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            message_settings: components["schemas"]["MessageSettings"];
                        };
                    };
                };
            };
        };
    };
    getMessages: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `kind`, `state`, `object_id`, `to`, `language`, `customer.uuid`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            messages: components["schemas"]["Message"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getMessagesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            message: components["schemas"]["Message"];
                        };
                    };
                };
            };
        };
    };
    postMessagesByIdResend: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            message: components["schemas"]["Message"];
                        };
                    };
                };
            };
        };
    };
    postMessagesBounces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bounce": {
                 *         "address": "amy@example.com",
                 *         "kind": "hard"
                 *       }
                 *     }
                 */
                "application/json": {
                    bounce: components["schemas"]["NewBounce"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bounce: components["schemas"]["Bounce"];
                        };
                    };
                };
            };
        };
    };
    getMessageTemplatesByKindByLanguage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: "receipt" | "invoice" | "credit_note" | "payment_failed" | "payment_reminder" | "plan_canceled" | "trial_ending" | "renewal_ahead" | "portal_link" | "card_expiring" | "usage_alert" | "balance_low";
                language: "ar" | "de" | "en" | "es" | "fr" | "id" | "ja" | "ko" | "ms" | "pt" | "th" | "vi" | "zh-Hans" | "zh-Hant";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            message_template: components["schemas"]["MessageTemplate"];
                        };
                    };
                };
            };
        };
    };
    putMessageTemplatesByKindByLanguage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: "receipt" | "invoice" | "credit_note" | "payment_failed" | "payment_reminder" | "plan_canceled" | "trial_ending" | "renewal_ahead" | "portal_link" | "card_expiring" | "usage_alert" | "balance_low";
                language: "ar" | "de" | "en" | "es" | "fr" | "id" | "ja" | "ko" | "ms" | "pt" | "th" | "vi" | "zh-Hans" | "zh-Hant";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message_template": {
                 *         "intro": "Thank you, {{customer_name}}."
                 *       }
                 *     }
                 */
                "application/json": {
                    message_template: components["schemas"]["MessageTemplateEdit"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            message_template: components["schemas"]["MessageTemplate"];
                        };
                    };
                };
            };
        };
    };
    deleteMessageTemplatesByKindByLanguage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: "receipt" | "invoice" | "credit_note" | "payment_failed" | "payment_reminder" | "plan_canceled" | "trial_ending" | "renewal_ahead" | "portal_link" | "card_expiring" | "usage_alert" | "balance_low";
                language: "ar" | "de" | "en" | "es" | "fr" | "id" | "ja" | "ko" | "ms" | "pt" | "th" | "vi" | "zh-Hans" | "zh-Hant";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            message_template: components["schemas"]["MessageTemplate"];
                        };
                    };
                };
            };
        };
    };
    postMessageTemplatesByKindByLanguagePreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: "receipt" | "invoice" | "credit_note" | "payment_failed" | "payment_reminder" | "plan_canceled" | "trial_ending" | "renewal_ahead" | "portal_link" | "card_expiring" | "usage_alert" | "balance_low";
                language: "ar" | "de" | "en" | "es" | "fr" | "id" | "ja" | "ko" | "ms" | "pt" | "th" | "vi" | "zh-Hans" | "zh-Hant";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message_template": {
                 *         "intro": "Thank you, {{customer_name}}."
                 *       }
                 *     }
                 */
                "application/json": {
                    message_template: components["schemas"]["MessageTemplateEdit"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            message_preview: components["schemas"]["MessagePreview"];
                        };
                    };
                };
            };
        };
    };
    postMessageTemplatesByKindByLanguageTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: "receipt" | "invoice" | "credit_note" | "payment_failed" | "payment_reminder" | "plan_canceled" | "trial_ending" | "renewal_ahead" | "portal_link" | "card_expiring" | "usage_alert" | "balance_low";
                language: "ar" | "de" | "en" | "es" | "fr" | "id" | "ja" | "ko" | "ms" | "pt" | "th" | "vi" | "zh-Hans" | "zh-Hant";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message_template": {
                 *         "intro": "Thank you, {{customer_name}}."
                 *       }
                 *     }
                 */
                "application/json": {
                    message_template: components["schemas"]["MessageTemplateEdit"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            message_test: components["schemas"]["MessageTest"];
                        };
                    };
                };
            };
        };
    };
    getSuppressions: {
        parameters: {
            query?: {
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            suppressions: components["schemas"]["Suppression"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    deleteSuppressionsByAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            suppression: components["schemas"]["Suppression"];
                        };
                    };
                };
            };
        };
    };
    getCards: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `reference_id`, `p_user_id`, `status`, `type`, `last_4_digits`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            cards: components["schemas"]["Card"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postCards: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "card": {
                 *         "reference_id": "card-1001",
                 *         "type": "virtual",
                 *         "title": "Travel",
                 *         "settlement_currency": "HKD",
                 *         "mode": "B2C",
                 *         "limits": [
                 *           {
                 *             "period": "Daily",
                 *             "limit_amount": "5000.00"
                 *           }
                 *         ],
                 *         "spending_controls": {
                 *           "allowed_countries": [
                 *             "HK",
                 *             "JP"
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    card: {
                        /** @description Your unique id of the card. */
                        reference_id: string;
                        /** @enum {string} */
                        type: "virtual" | "physical";
                        title?: string;
                        /** @description ISO 4217. */
                        settlement_currency: string;
                        /**
                         * @description Responses show the linked user as p_user_id only for B2C.
                         * @enum {string}
                         */
                        mode: "B2C" | "B2B";
                        /** @description Default: the business's name. */
                        business_name?: string;
                        /** @description At most one of each period. */
                        limits?: components["schemas"]["NewCardLimit"][];
                        /** @description The IANA time zone in which limits reset. Default of a new card: the business's time zone. */
                        time_zone?: string;
                        spending_controls?: components["schemas"]["SpendingControls"];
                        /** @description The wallet that pays for the card's authorizations. */
                        funding_wallet_id?: string;
                        /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
                        metadata?: {
                            [key: string]: string | null;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            card: components["schemas"]["Card"];
                        };
                    };
                };
            };
        };
    };
    postCardsLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "card_reference_id": "card-1001",
                 *       "p_user_id": "u-1001"
                 *     }
                 */
                "application/json": {
                    /** @description The card's reference_id. */
                    card_reference_id: string;
                    /** @description Your user, to whom the card is linked. */
                    p_user_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: components["schemas"]["LinkedCard"];
                    };
                };
            };
        };
    };
    getCardsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            card: components["schemas"]["Card"];
                        };
                    };
                };
            };
        };
    };
    putCardsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "card": {
                 *         "title": "Travel 2031",
                 *         "time_zone": "Asia/Tokyo"
                 *       }
                 *     }
                 */
                "application/json": {
                    card: {
                        title?: string;
                        /** @description The IANA time zone in which limits reset. Default of a new card: the business's time zone. */
                        time_zone?: string;
                        spending_controls?: components["schemas"]["SpendingControls"];
                        /** @description Your own keys of 1 to 40 characters with texts. An edit changes the keys that it names; null or an empty text removes one. */
                        metadata?: {
                            [key: string]: string | null;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            card: components["schemas"]["Card"];
                        };
                    };
                };
            };
        };
    };
    postCardsByIdStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "status": "Locked",
                 *       "remark": "Lost on the way"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    status?: "Inactive" | "Active" | "Locked" | "Suspended" | "Terminated" | "Expired";
                    /** @enum {string} */
                    physical_status?: "Idle" | "Ordered" | "Active" | "Locked" | "Suspended" | "Terminated";
                    remark?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            card: components["schemas"]["Card"];
                        };
                    };
                };
            };
        };
    };
    putCardsByIdLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "limits": [
                 *         {
                 *           "id": "lim_01m82g28fyf0nvy1g0k3jq9x6r",
                 *           "period": "Daily",
                 *           "limit_amount": "8000.00"
                 *         }
                 *       ],
                 *       "remark": "Holidays"
                 *     }
                 */
                "application/json": {
                    limits: {
                        id: string;
                        /** @enum {string} */
                        period: "Transaction" | "Daily" | "Monthly" | "Lifetime";
                        /** @description At most 100000000000, with no more decimals than the currency has. */
                        limit_amount: string;
                        /** @enum {string} */
                        status?: "Active" | "Inactive";
                    }[];
                    remark?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: Record<string, never>;
                    };
                };
            };
        };
    };
    postCardsByIdLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "limit": {
                 *         "period": "Monthly",
                 *         "limit_amount": "20000.00"
                 *       }
                 *     }
                 */
                "application/json": {
                    limit: components["schemas"]["NewCardLimit"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            card: components["schemas"]["Card"];
                        };
                    };
                };
            };
        };
    };
    getCardsByIdLimitHistory: {
        parameters: {
            query?: {
                limit_id?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            limit_history: components["schemas"]["CardLimitChange"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getCardsByIdAuthorizations: {
        parameters: {
            query?: {
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            authorizations: components["schemas"]["CardAuthorization"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postCardsByIdAuthorizations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "authorization": {
                 *         "amount": "150.50",
                 *         "currency": "HKD",
                 *         "merchant": {
                 *           "name": "Corner Shop",
                 *           "mcc": "5411",
                 *           "country": "HK"
                 *         },
                 *         "reference_id": "a-1001"
                 *       }
                 *     }
                 */
                "application/json": {
                    authorization: {
                        amount: string;
                        /** @description ISO 4217. */
                        currency: string;
                        merchant: {
                            name: string;
                            /** @description Merchant category, ISO 18245: four digits. */
                            mcc: string;
                            country: components["schemas"]["Country"];
                        };
                        /** @description Your id of the request. A repeated id gets the first decision. */
                        reference_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            authorization: components["schemas"]["CardAuthorization"];
                        };
                    };
                };
            };
        };
    };
    postCardsAuthorizationsByUuidCapture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "amount": "120.00",
                 *       "final": true,
                 *       "reference_id": "a-1001-capture"
                 *     }
                 */
                "application/json": {
                    /** @description Default: all that is left. */
                    amount?: string;
                    /** @description Releases the rest of the hold. Default: true if amount is left out. */
                    final?: boolean;
                    /** @description Your id of the request. A repeated id gets the first response. */
                    reference_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            authorization: components["schemas"]["CardAuthorization"];
                        };
                    };
                };
            };
        };
    };
    postCardsAuthorizationsByUuidRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "amount": "20.00",
                 *       "reference_id": "a-1001-refund"
                 *     }
                 */
                "application/json": {
                    /** @description Default: all that is left. */
                    amount?: string;
                    /** @description Your id of the request. A repeated id gets the first response. */
                    reference_id?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            authorization: components["schemas"]["CardAuthorization"];
                        };
                    };
                };
            };
        };
    };
    postCardsAuthorizationsByUuidReverse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "amount": "30.50"
                 *     }
                 */
                "application/json": {
                    /** @description Default: all that is left. */
                    amount?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            authorization: components["schemas"]["CardAuthorization"];
                        };
                    };
                };
            };
        };
    };
    getCardsDecisionHook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            decision_hook: components["schemas"]["DecisionHook"];
                        };
                    };
                };
            };
        };
    };
    putCardsDecisionHook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "decision_hook": {
                 *         "url": "https://shop.example.com/decide",
                 *         "timeout_ms": 1000,
                 *         "on_silence": "decline"
                 *       }
                 *     }
                 */
                "application/json": {
                    decision_hook: {
                        /**
                         * Format: uri
                         * @description Receives {authorization} and responds with {approved}.
                         */
                        url: string;
                        /** @description Default 2000. */
                        timeout_ms?: number;
                        /** @enum {string} */
                        on_silence: "approve" | "decline";
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            decision_hook: components["schemas"]["DecisionHook"];
                        };
                    };
                };
            };
        };
    };
    deleteCardsDecisionHook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            decision_hook: components["schemas"]["DecisionHook"];
                        };
                    };
                };
            };
        };
    };
    getDigitalWallets: {
        parameters: {
            query?: {
                /** @description Only the wallet of this user. */
                p_user_id?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            digital_wallets: components["schemas"]["DigitalWallet"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postDigitalWallets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "digital_wallet": {
                 *         "p_user_id": "u-1001"
                 *       }
                 *     }
                 */
                "application/json": {
                    digital_wallet: {
                        /** @description Your id of the user, who has one wallet. */
                        p_user_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            digital_wallet: components["schemas"]["DigitalWallet"];
                        };
                    };
                };
            };
        };
    };
    getDigitalWalletsTransactions: {
        parameters: {
            query: {
                /** @description The owner of the wallet. */
                p_user_id: string;
                wallet_id: string;
                /** @description First second, inclusive: YYYY-MM-DD hh:mm:ss in Hong Kong time. */
                start_at?: string;
                /** @description Last second, inclusive: YYYY-MM-DD hh:mm:ss in Hong Kong time. */
                end_at?: string;
                /** @description Default confirmed. */
                state?: "pending" | "confirmed" | "reorged";
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            transactions: components["schemas"]["WalletTransaction"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getDigitalWalletsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            digital_wallet: components["schemas"]["DigitalWallet"];
                        };
                    };
                };
            };
        };
    };
    getDigitalWalletsByIdAddressesByBlockchainQr: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                blockchain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            address_qr: {
                                blockchain: string;
                                chain_id: number;
                                address: string;
                                /** @description SVG document with the QR code of the address. */
                                svg: string;
                            };
                        };
                    };
                };
            };
        };
    };
    getDigitalWalletsFeeRule: {
        parameters: {
            query: {
                type: "business" | "user";
                /** @description Required when type is user. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            fee_rules: components["schemas"]["WalletFeeRule"][];
                        };
                    };
                };
            };
        };
    };
    putDigitalWalletsFeeRule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "fee_rule": {
                 *         "type": "business",
                 *         "fixed_fee": "1.00",
                 *         "percentage_fee": "0.5"
                 *       }
                 *     }
                 */
                "application/json": {
                    fee_rule: {
                        /** @enum {string} */
                        type: "business" | "user";
                        /** @description The p_user_id. Required when type is user, not allowed otherwise. */
                        user_id?: string;
                        /** @description US dollars, at most 2 decimals. */
                        fixed_fee: string;
                        /** @description Percentage of the amount in US dollars, 0 to 100, at most 6 decimals. */
                        percentage_fee: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            fee_rules: components["schemas"]["WalletFeeRule"][];
                        };
                    };
                };
            };
        };
    };
    postDeposits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "deposit": {
                 *         "wallet_id": "wal_0190000000000000000000",
                 *         "amount": "0.5"
                 *       }
                 *     }
                 */
                "application/json": {
                    deposit: {
                        wallet_id: string;
                        /** @description Of the chain’s coin, above 0. */
                        amount: string;
                        /** @description A chain of the sandbox’s own. Default the first that is configured. */
                        blockchain?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            deposit: {
                                wallet_id: string;
                                blockchain: string;
                                /** @description That of the wallet’s transaction, once it is read. */
                                transaction_hash: string;
                                currency: string;
                                amount: string;
                            };
                        };
                    };
                };
            };
        };
    };
    getEvents: {
        parameters: {
            query?: {
                object_id?: string;
                type?: "order.created" | "order.updated" | "order.paid" | "order.voided" | "order.expired" | "order.refunded" | "transaction.succeeded" | "transaction.failed" | "transaction.pending" | "transaction.voided" | "transaction.resolved" | "dispute.opened" | "dispute.updated" | "dispute.won" | "dispute.lost" | "dispute.closed" | "dispute.evidence_submitted" | "invoice.issued" | "invoice.paid" | "invoice.credited" | "invoice.overdue" | "invoice.uncollectible" | "credit_note.issued" | "bank_entry.matched" | "bank_entry.unmatched" | "plan.created" | "plan.updated" | "plan.paused" | "plan.resumed" | "plan.canceled" | "plan.changed" | "plan.change_scheduled" | "plan.change_removed" | "plan.trial_will_end" | "plan.trial_ended" | "plan.reactivated" | "plan.coupon_attached" | "plan.coupon_detached" | "cycle.activated" | "cycle.past_due" | "cycle.uncollectible" | "cycle.completed" | "product.created" | "product.updated" | "product.archived" | "price.created" | "price.superseded" | "dunning_policy.created" | "dunning_policy.updated" | "coupon.created" | "coupon.updated" | "customer.erased" | "payment_token.active" | "payment_token.failed" | "payment_token.expiring" | "payment_token.deleted" | "tax_rate.created" | "message.sent" | "message.failed" | "message.bounced" | "message.complained" | "card.linked" | "card.status_changed" | "card.limit_changed" | "card.authorization.approved" | "card.authorization.declined" | "wallet.transaction.pending" | "wallet.transaction.confirmed" | "wallet.transaction.reorged";
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            events: components["schemas"]["Event"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getEventsById: {
        parameters: {
            query: {
                /** @description The object of the event: an event is found through its object. */
                object_id: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            event: components["schemas"]["Event"];
                        };
                    };
                };
            };
        };
    };
    getEndpoints: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `url`, `state`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            endpoints: components["schemas"]["WebhookEndpoint"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "endpoint": {
                 *         "url": "https://shop.example.com/webhooks",
                 *         "types": [
                 *           "order.paid",
                 *           "transaction.failed"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    endpoint: {
                        /**
                         * Format: uri
                         * @description Events are posted to this URL. It must not be a private address.
                         */
                        url: string;
                        /** @description Event types. All when omitted. */
                        types?: ("order.created" | "order.updated" | "order.paid" | "order.voided" | "order.expired" | "order.refunded" | "transaction.succeeded" | "transaction.failed" | "transaction.pending" | "transaction.voided" | "transaction.resolved" | "dispute.opened" | "dispute.updated" | "dispute.won" | "dispute.lost" | "dispute.closed" | "dispute.evidence_submitted" | "invoice.issued" | "invoice.paid" | "invoice.credited" | "invoice.overdue" | "invoice.uncollectible" | "credit_note.issued" | "bank_entry.matched" | "bank_entry.unmatched" | "plan.created" | "plan.updated" | "plan.paused" | "plan.resumed" | "plan.canceled" | "plan.changed" | "plan.change_scheduled" | "plan.change_removed" | "plan.trial_will_end" | "plan.trial_ended" | "plan.reactivated" | "plan.coupon_attached" | "plan.coupon_detached" | "cycle.activated" | "cycle.past_due" | "cycle.uncollectible" | "cycle.completed" | "product.created" | "product.updated" | "product.archived" | "price.created" | "price.superseded" | "dunning_policy.created" | "dunning_policy.updated" | "coupon.created" | "coupon.updated" | "customer.erased" | "payment_token.active" | "payment_token.failed" | "payment_token.expiring" | "payment_token.deleted" | "tax_rate.created" | "message.sent" | "message.failed" | "message.bounced" | "message.complained" | "card.linked" | "card.status_changed" | "card.limit_changed" | "card.authorization.approved" | "card.authorization.declined" | "wallet.transaction.pending" | "wallet.transaction.confirmed" | "wallet.transaction.reorged")[];
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            endpoint: components["schemas"]["WebhookEndpointWithSecret"];
                        };
                    };
                };
            };
        };
    };
    deleteEndpointsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            endpoint: components["schemas"]["WebhookEndpoint"];
                        };
                    };
                };
            };
        };
    };
    postEndpointsByIdRotateSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            endpoint: components["schemas"]["WebhookEndpointWithSecret"];
                        };
                    };
                };
            };
        };
    };
    getDeliveries: {
        parameters: {
            query?: {
                event_id?: string;
                state?: "pending" | "delivered" | "exhausted";
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `state`, `event_id`, `endpoint_id`, `object_id`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            deliveries: components["schemas"]["Delivery"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postDeliveriesByIdRedeliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            delivery: components["schemas"]["Delivery"];
                        };
                    };
                };
            };
        };
    };
    getRequests: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `request_id`, `method`, `path`, `route`, `status`, `reason`, `duration_ms`, `actor_type`, `actor_id`, `app_id`, `ip_address`, `idempotency_key`, `object_id`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            requests: components["schemas"]["LoggedRequest"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getRequestsByRequestId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            request: components["schemas"]["LoggedRequestWithBodies"];
                        };
                    };
                };
            };
        };
    };
    getAuditEntries: {
        parameters: {
            query?: {
                /** @description AIP-160 filter, at most 1,000 characters. Fields: `id`, `state`, `actor_type`, `actor_id`, `action`, `object_type`, `object_id`, `created_at`. */
                filter?: string;
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            audit_entries: components["schemas"]["AuditEntry"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getAuditEntriesExportCsv: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getSearch: {
        parameters: {
            query: {
                /** @description A number, reference, id, amount, the last four digits of a card, or the beginning of a word of a name, title, e-mail address or phone number. */
                query: string;
                /** @description At most 50, default 20. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            results: components["schemas"]["SearchResult"][];
                        };
                    };
                };
            };
        };
    };
    getOrdersByNumberTimeline: {
        parameters: {
            query?: {
                /** @description Entries of a page: at most 100, default 50. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            timeline: components["schemas"]["Timeline"];
                        };
                    };
                };
            };
        };
    };
    getRecurringPaymentsPlanByIdTimeline: {
        parameters: {
            query?: {
                /** @description Entries of a page: at most 100, default 50. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            timeline: components["schemas"]["Timeline"];
                        };
                    };
                };
            };
        };
    };
    getCustomersByUuidTimeline: {
        parameters: {
            query?: {
                /** @description Entries of a page: at most 100, default 50. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            timeline: components["schemas"]["Timeline"];
                        };
                    };
                };
            };
        };
    };
    getBulkActions: {
        parameters: {
            query?: {
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bulk_actions: components["schemas"]["BulkActionSummary"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postBulkActions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bulk_action": {
                 *         "action": "refund",
                 *         "filter": "reference_number = \"fair-*\"",
                 *         "dry_run": true
                 *       }
                 *     }
                 */
                "application/json": {
                    bulk_action: {
                        /** @enum {string} */
                        action: "refund" | "void";
                        /** @description Of the refunds and of voided transactions. */
                        note?: string;
                        ids?: string[];
                        /** @description The filter of the list of orders. `ids` are numbers of orders or uuids of transactions. */
                        filter?: string;
                        /** @description Default false. True changes nothing and reports what would happen. */
                        dry_run?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bulk_action: components["schemas"]["BulkAction"];
                        };
                    };
                };
            };
        };
    };
    getBulkActionsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bulk_action: components["schemas"]["BulkAction"];
                        };
                    };
                };
            };
        };
    };
    postBulkActionsByIdCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bulk_action: components["schemas"]["BulkAction"];
                        };
                    };
                };
            };
        };
    };
    postBulkActionsByIdTakeOver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bulk_action: components["schemas"]["BulkAction"];
                        };
                    };
                };
            };
        };
    };
    getRecurringPaymentsBulkActions: {
        parameters: {
            query?: {
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bulk_actions: components["schemas"]["BulkActionSummary"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postRecurringPaymentsBulkActions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bulk_action": {
                 *         "action": "cancel",
                 *         "filter": "name = \"Gold\"",
                 *         "at_period_end": true
                 *       }
                 *     }
                 */
                "application/json": {
                    bulk_action: {
                        /** @enum {string} */
                        action: "cancel" | "change";
                        /** @description With cancel. Default false: at once. */
                        at_period_end?: boolean;
                        change?: components["schemas"]["BulkPlanChange"];
                        ids?: string[];
                        /** @description The filter of the list of plans. */
                        filter?: string;
                        /** @description Default false. True changes nothing and reports what would happen. */
                        dry_run?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bulk_action: components["schemas"]["BulkAction"];
                        };
                    };
                };
            };
        };
    };
    getRecurringPaymentsBulkActionsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bulk_action: components["schemas"]["BulkAction"];
                        };
                    };
                };
            };
        };
    };
    postRecurringPaymentsBulkActionsByIdCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bulk_action: components["schemas"]["BulkAction"];
                        };
                    };
                };
            };
        };
    };
    postRecurringPaymentsBulkActionsByIdTakeOver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bulk_action: components["schemas"]["BulkAction"];
                        };
                    };
                };
            };
        };
    };
    getEventBulkActions: {
        parameters: {
            query?: {
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bulk_actions: components["schemas"]["BulkActionSummary"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    postEventBulkActions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bulk_action": {
                 *         "action": "redeliver",
                 *         "filter": "state = \"exhausted\""
                 *       }
                 *     }
                 */
                "application/json": {
                    bulk_action: {
                        /** @enum {string} */
                        action: "redeliver";
                        ids?: string[];
                        /** @description Fields: `state`, `event_id`, `endpoint_id`, `object_id`, `created_at`. */
                        filter?: string;
                        /** @description Default false. True changes nothing and reports what would happen. */
                        dry_run?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bulk_action: components["schemas"]["BulkAction"];
                        };
                    };
                };
            };
        };
    };
    getEventBulkActionsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bulk_action: components["schemas"]["BulkAction"];
                        };
                    };
                };
            };
        };
    };
    postEventBulkActionsByIdCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bulk_action: components["schemas"]["BulkAction"];
                        };
                    };
                };
            };
        };
    };
    postEventBulkActionsByIdTakeOver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            bulk_action: components["schemas"]["BulkAction"];
                        };
                    };
                };
            };
        };
    };
    getCustomersByUuidExportJsonl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                };
            };
        };
    };
    getCustomersByUuidErasureCheck: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            erasure_check: components["schemas"]["ErasureCheck"];
                        };
                    };
                };
            };
        };
    };
    postCustomersByUuidErasures: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            erasure: components["schemas"]["Erasure"];
                        };
                    };
                };
            };
        };
    };
    getErasures: {
        parameters: {
            query?: {
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            erasures: components["schemas"]["Erasure"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getErasuresById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            erasure: components["schemas"]["Erasure"];
                        };
                    };
                };
            };
        };
    };
    putCustomersByUuidLegalHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "legal_hold": {
                 *         "reason": "Case 2031/7"
                 *       }
                 *     }
                 */
                "application/json": {
                    legal_hold: {
                        /** @description Such as the number of a case. */
                        reason: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            legal_hold: components["schemas"]["LegalHold"];
                        };
                    };
                };
            };
        };
    };
    deleteCustomersByUuidLegalHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            legal_hold: components["schemas"]["LegalHold"];
                        };
                    };
                };
            };
        };
    };
    getRetention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            retention: components["schemas"]["Retention"];
                        };
                    };
                };
            };
        };
    };
    putRetention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "retention": {
                 *         "customer_days": 3650
                 *       }
                 *     }
                 */
                "application/json": {
                    retention: {
                        customer_days: number | null;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            retention: components["schemas"]["Retention"];
                        };
                    };
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description Instead of `days`, or of `from` and `to`. */
                period?: "today" | "last_7_days" | "last_30_days" | "this_month" | "last_month" | "this_year" | "last_year";
                /** @description The first local day of the business. */
                from?: string;
                /** @description The last local day, included; today when omitted. At most 1096 days in all. */
                to?: string;
                /** @description Local days up to today, default 30. */
                days?: number;
                /** @description Default: the `main_currency` of the totals. */
                currency?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            overview: components["schemas"]["Overview"];
                        };
                    };
                };
            };
        };
    };
    getTotals: {
        parameters: {
            query?: {
                /** @description Local days of the business up to today, instead of `from` and `to`. Default `this_month`. */
                period?: "today" | "last_7_days" | "last_30_days" | "this_month" | "last_month" | "this_year" | "last_year";
                /** @description The first local day of the business. */
                from?: string;
                /** @description The last local day, included; today when omitted. At most 1096 days in all. */
                to?: string;
                /** @description Default: all in which money moved. */
                currency?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            totals: components["schemas"]["Totals"];
                        };
                    };
                };
            };
        };
    };
    getTotalsSpreadsheetCsv: {
        parameters: {
            query?: {
                /** @description Local days of the business up to today, instead of `from` and `to`. Default `this_month`. */
                period?: "today" | "last_7_days" | "last_30_days" | "this_month" | "last_month" | "this_year" | "last_year";
                /** @description The first local day of the business. */
                from?: string;
                /** @description The last local day, included; today when omitted. At most 1096 days in all. */
                to?: string;
                /** @description Default: all in which money moved. */
                currency?: string;
                /** @description Which columns, in their order, separated by commas: date, currency, paid_total, refunded_total, net_total, fee_total, settled_paid_total, orders_paid, payments_approved, payments_declined, recurring_paid_total, disputed_total. */
                columns?: string;
                /** @description Of the names of columns, default `en`. */
                language?: "en" | "zh-Hant" | "zh-Hans";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getAttention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            /** @description Only kinds of which there are any. */
                            attention: components["schemas"]["Attention"][];
                        };
                    };
                };
            };
        };
    };
    getPortal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            portal: components["schemas"]["Portal"];
                        };
                    };
                };
            };
        };
    };
    putPortal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "portal": {
                 *         "return_url": "https://shop.example.com/account",
                 *         "allow": {
                 *           "invoices": true,
                 *           "payment_methods": true,
                 *           "billing_details": true,
                 *           "cancel": {
                 *             "reasons": [
                 *               "Too expensive",
                 *               "Not used"
                 *             ]
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    portal: components["schemas"]["PortalEdit"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            portal: components["schemas"]["Portal"];
                        };
                    };
                };
            };
        };
    };
    postPortalSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "portal_session": {
                 *         "customer_uuid": "cus_01m82g27rde57v77qfb3qj2d2m",
                 *         "return_url": "https://shop.example.com/account"
                 *       }
                 *     }
                 */
                "application/json": {
                    portal_session: components["schemas"]["NewPortalSession"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            portal_session: components["schemas"]["PortalSession"];
                        };
                    };
                };
            };
        };
    };
    getPortalOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            overview: components["schemas"]["PortalOverview"];
                            /** @description The 100 newest. */
                            plans: components["schemas"]["PortalRecurringPlan"][];
                            /** @description What each plan that bills is billed next, if nothing changes until then. */
                            next_bills: {
                                plan_id: string;
                                /** Format: date-time */
                                date: string;
                                /** Format: decimal */
                                amount: Decimal;
                                currency: string;
                            }[];
                            /** @description Open orders of the plans whose payment failed, or that wait for the customer to pay them, with what is left to pay. */
                            due_orders: {
                                plan_id: string;
                                order_number: string;
                                /** @description What its pages and documents call the order. */
                                reference_number: string;
                                /** Format: decimal */
                                amount: Decimal;
                                currency: string;
                                payment_link?: string;
                            }[];
                        };
                    };
                };
            };
        };
    };
    getPlans: {
        parameters: {
            query?: {
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plans: components["schemas"]["PortalRecurringPlan"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getPlansByIdUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            /** @description A row for each metered price of the plan. */
                            usage: {
                                recurring_item_id: string;
                                meter_id: string;
                                period: {
                                    /** Format: date-time */
                                    start: string;
                                    /** Format: date-time */
                                    end: string;
                                };
                            }[];
                        };
                    };
                };
            };
        };
    };
    postPlansByIdChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "change": {
                 *         "recurring_items": [
                 *           {
                 *             "recurring_item_id": "rit_01m82g28fyf0nvy1g0k3jq9x6r",
                 *             "quantity": 5
                 *           }
                 *         ],
                 *         "expected_total": 30.97
                 *       }
                 *     }
                 */
                "application/json": {
                    change: components["schemas"]["NewPortalPlanChange"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["PortalRecurringPlan"];
                            change: components["schemas"]["PortalPlanChange"];
                            order?: components["schemas"]["PortalOrder"];
                        };
                    };
                };
            };
        };
    };
    postPlansByIdChangePreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "change": {
                 *         "recurring_items": [
                 *           {
                 *             "recurring_item_id": "rit_01m82g28fyf0nvy1g0k3jq9x6r",
                 *             "quantity": 5
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    change: components["schemas"]["NewPortalPlanChangePreview"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            change: components["schemas"]["PortalPlanChange"];
                            orders: {
                                /** Format: date-time */
                                date: string;
                                /** Format: decimal */
                                amount: Decimal;
                                currency: string;
                                recurring_cycle: components["schemas"]["PortalRecurringCycle"];
                                line_items: {
                                    /** @enum {string} */
                                    purchasable_type: "Charge";
                                    label: string;
                                    /** Format: decimal */
                                    price: Decimal;
                                    quantity: number;
                                    /** Format: decimal */
                                    total: Decimal;
                                    /**
                                     * @description What the line of a plan bills.
                                     * @enum {string}
                                     */
                                    kind?: "item" | "usage" | "correction" | "proration_credit" | "proration_charge" | "proration" | "discount" | "coupon" | "tax" | "balance" | "credit" | "to_credit";
                                    /** @description What time a line of a plan covers. */
                                    period?: {
                                        /** Format: date-time */
                                        start: string;
                                        /** Format: date-time */
                                        end: string;
                                    };
                                    recurring_item_id?: string;
                                    /** @description The quantity that the amount was computed from. */
                                    units?: number;
                                }[];
                                tax: components["schemas"]["PortalOrderTax"] | null;
                            }[];
                        };
                    };
                };
            };
        };
    };
    postPlansByIdPause: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "until": "2031-03-01"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description When the plan resumes by itself: a time as 2026-01-31T09:30:00Z (RFC 3339) or a date as 2026-01-31.
                     * @example 2031-01-31T09:30:00Z
                     */
                    until?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["PortalRecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    postPlansByIdResume: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["PortalRecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    postPlansByIdCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Too expensive",
                 *       "comment": "See you next year"
                 *     }
                 */
                "application/json": {
                    /** @description One of the reasons in the settings. */
                    reason: string;
                    comment?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["PortalRecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    postPlansByIdUncancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["PortalRecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    postPlansByIdAcceptOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["PortalRecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    postPlansByIdReactivate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expected_total": 39.9
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: decimal
                     * @description What the customer saw. With another total nothing is done.
                     */
                    expected_total: Decimal;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            plan: components["schemas"]["PortalRecurringPlan"];
                        };
                    };
                };
            };
        };
    };
    getPortalInvoices: {
        parameters: {
            query?: {
                /** @description Rows to skip: at most 10000, default 0. */
                offset?: number;
                /** @description Rows of a page: at most 100, default 20. */
                limit?: number;
                /** @description next_cursor of the previous page. */
                cursor?: string;
                /** @description With `Accept: text/csv`: names of columns, separated by commas. A column is a member of a row, or `a.b` for a member of a member. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            invoices: components["schemas"]["PortalInvoice"][];
                            page: components["schemas"]["Page"];
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getPortalInvoicesByIdDocument: {
        parameters: {
            query?: {
                /** @description Default `pdf`. */
                format?: "pdf" | "ubl" | "cii" | "facturx" | "peppol" | "xrechnung";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    postInvoicesByIdPay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "payment_token": "pmt_01m82g28fyf0nvy1g0k3jq9x6r",
                 *       "expected_total": 39.9
                 *     }
                 */
                "application/json": {
                    payment_token: string;
                    /**
                     * Format: decimal
                     * @description What the customer saw. With another total nothing is done.
                     */
                    expected_total: Decimal;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            order: components["schemas"]["PortalOrder"];
                            transaction: components["schemas"]["PortalTransaction"];
                            next_action?: components["schemas"]["PortalNextAction"];
                        };
                    };
                };
            };
        };
    };
    getPaymentTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            payment_tokens: components["schemas"]["PortalPaymentToken"][] | null;
                        };
                    };
                };
            };
        };
    };
    postPaymentTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "payment_token": {
                 *         "token_type": "WalletAPayAutoDebit"
                 *       }
                 *     }
                 */
                "application/json": {
                    payment_token: components["schemas"]["NewPortalPaymentToken"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            payment_token: components["schemas"]["PortalPaymentToken"];
                        };
                    };
                };
            };
        };
    };
    deletePaymentTokensByToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            payment_token: components["schemas"]["PortalPaymentToken"];
                        };
                    };
                };
            };
        };
    };
    postPaymentTokensByTokenDefault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            payment_token: components["schemas"]["PortalPaymentToken"];
                        };
                    };
                };
            };
        };
    };
    getBillingDetails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            customer_uuid: string;
                            billing_details: components["schemas"]["PortalBillingDetails"];
                        };
                    };
                };
            };
        };
    };
    putBillingDetails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "billing_details": {
                 *         "invoice_email": "billing@example.com"
                 *       }
                 *     }
                 */
                "application/json": {
                    billing_details: components["schemas"]["PortalBillingDetailsEdit"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            customer_uuid: string;
                            billing_details: components["schemas"]["PortalBillingDetails"];
                        };
                    };
                };
            };
        };
    };
    getClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            clock: {
                                /**
                                 * Format: date-time
                                 * @description RFC 3339, UTC
                                 */
                                now: string;
                            };
                        };
                    };
                };
            };
        };
    };
    postClockAdvance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "by": "P1M"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @description The target time; send either this or by
                     */
                    to?: string;
                    /** @description An ISO 8601 duration such as P1M, at most 10 years */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            clock: {
                                /**
                                 * Format: date-time
                                 * @description RFC 3339, UTC
                                 */
                                now: string;
                            };
                        };
                    };
                };
            };
        };
    };
    getClockDue: {
        parameters: {
            query: {
                /** @description The end of the time to look at */
                to: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            due: {
                                /** @description A kind of scheduled work: recurring, order_expiry, card_hold_expiry, … */
                                work: string;
                                /**
                                 * Format: date-time
                                 * @description When the first work of this kind becomes due
                                 */
                                next_at: string;
                            }[];
                        };
                    };
                };
            };
        };
    };
    getFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            faults: {
                                /** @description Waits so long before each response */
                                latency_ms: number;
                                /** @description How often it answers 500 and books nothing */
                                fail_before_percent: number;
                                /** @description How often it books and answers 500 */
                                fail_after_percent: number;
                                /** @description How often it books and cuts the connection */
                                lose_answer_percent: number;
                            };
                        };
                    };
                };
            };
        };
    };
    putFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "faults": {
                 *         "latency_ms": 0,
                 *         "fail_before_percent": 0,
                 *         "fail_after_percent": 0,
                 *         "lose_answer_percent": 20
                 *       }
                 *     }
                 */
                "application/json": {
                    faults: {
                        /** @description Waits so long before each response */
                        latency_ms: number;
                        /** @description How often it answers 500 and books nothing */
                        fail_before_percent: number;
                        /** @description How often it books and answers 500 */
                        fail_after_percent: number;
                        /** @description How often it books and cuts the connection */
                        lose_answer_percent: number;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: 200;
                        /** @example succeed */
                        message: string;
                        data: {
                            faults: {
                                /** @description Waits so long before each response */
                                latency_ms: number;
                                /** @description How often it answers 500 and books nothing */
                                fail_before_percent: number;
                                /** @description How often it books and answers 500 */
                                fail_after_percent: number;
                                /** @description How often it books and cuts the connection */
                                lose_answer_percent: number;
                            };
                        };
                    };
                };
            };
        };
    };
    onOrderCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "order.created";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        order: components["schemas"]["OrderInEvent"];
                    } | {
                        order: components["schemas"]["TruncatedOrderInEvent"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "order.updated";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        order: components["schemas"]["OrderInEvent"];
                    } | {
                        order: components["schemas"]["TruncatedOrderInEvent"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderPaid: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "order.paid";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        order: components["schemas"]["OrderInEvent"];
                    } | {
                        order: components["schemas"]["TruncatedOrderInEvent"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderVoided: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "order.voided";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        order: components["schemas"]["OrderInEvent"];
                    } | {
                        order: components["schemas"]["TruncatedOrderInEvent"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderExpired: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "order.expired";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        order: components["schemas"]["OrderInEvent"];
                    } | {
                        order: components["schemas"]["TruncatedOrderInEvent"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderRefunded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "order.refunded";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        order: components["schemas"]["OrderInEvent"];
                    } | {
                        order: components["schemas"]["TruncatedOrderInEvent"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransactionSucceeded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "transaction.succeeded";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        order: components["schemas"]["OrderInEvent"];
                        transaction: components["schemas"]["Transaction"];
                    } | {
                        order: components["schemas"]["TruncatedOrderInEvent"];
                        transaction: components["schemas"]["TruncatedTransaction"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransactionFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "transaction.failed";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        order: components["schemas"]["OrderInEvent"];
                        transaction: components["schemas"]["Transaction"];
                    } | {
                        order: components["schemas"]["TruncatedOrderInEvent"];
                        transaction: components["schemas"]["TruncatedTransaction"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransactionPending: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "transaction.pending";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        order: components["schemas"]["OrderInEvent"];
                        transaction: components["schemas"]["Transaction"];
                    } | {
                        order: components["schemas"]["TruncatedOrderInEvent"];
                        transaction: components["schemas"]["TruncatedTransaction"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransactionVoided: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "transaction.voided";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        order: components["schemas"]["OrderInEvent"];
                        transaction: components["schemas"]["Transaction"];
                    } | {
                        order: components["schemas"]["TruncatedOrderInEvent"];
                        transaction: components["schemas"]["TruncatedTransaction"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransactionResolved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "transaction.resolved";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        order: components["schemas"]["OrderInEvent"];
                        transaction: components["schemas"]["Transaction"];
                    } | {
                        order: components["schemas"]["TruncatedOrderInEvent"];
                        transaction: components["schemas"]["TruncatedTransaction"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDisputeOpened: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "dispute.opened";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        dispute: components["schemas"]["Dispute"];
                    } | {
                        dispute: components["schemas"]["TruncatedDispute"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDisputeUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "dispute.updated";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        dispute: components["schemas"]["Dispute"];
                    } | {
                        dispute: components["schemas"]["TruncatedDispute"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDisputeWon: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "dispute.won";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        dispute: components["schemas"]["Dispute"];
                    } | {
                        dispute: components["schemas"]["TruncatedDispute"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDisputeLost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "dispute.lost";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        dispute: components["schemas"]["Dispute"];
                    } | {
                        dispute: components["schemas"]["TruncatedDispute"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDisputeClosed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "dispute.closed";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        dispute: components["schemas"]["Dispute"];
                    } | {
                        dispute: components["schemas"]["TruncatedDispute"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDisputeEvidenceSubmitted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "dispute.evidence_submitted";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        dispute: components["schemas"]["Dispute"];
                    } | {
                        dispute: components["schemas"]["TruncatedDispute"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onInvoiceIssued: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "invoice.issued";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        invoice: components["schemas"]["Invoice"];
                    } | {
                        invoice: components["schemas"]["TruncatedInvoice"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onInvoicePaid: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "invoice.paid";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        invoice: components["schemas"]["Invoice"];
                    } | {
                        invoice: components["schemas"]["TruncatedInvoice"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onInvoiceCredited: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "invoice.credited";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        invoice: components["schemas"]["Invoice"];
                    } | {
                        invoice: components["schemas"]["TruncatedInvoice"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onInvoiceOverdue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "invoice.overdue";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        invoice: components["schemas"]["Invoice"];
                    } | {
                        invoice: components["schemas"]["TruncatedInvoice"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onInvoiceUncollectible: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "invoice.uncollectible";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        invoice: components["schemas"]["Invoice"];
                    } | {
                        invoice: components["schemas"]["TruncatedInvoice"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCreditNoteIssued: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "credit_note.issued";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        credit_note: components["schemas"]["Invoice"];
                    } | {
                        credit_note: components["schemas"]["TruncatedInvoice"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBankEntryMatched: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "bank_entry.matched";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        bank_entry: components["schemas"]["BankEntry"];
                    } | {
                        bank_entry: components["schemas"]["TruncatedBankEntry"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBankEntryUnmatched: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "bank_entry.unmatched";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        bank_entry: components["schemas"]["BankEntry"];
                    } | {
                        bank_entry: components["schemas"]["TruncatedBankEntry"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlanCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "plan.created";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        plan: components["schemas"]["RecurringPlan"];
                    } | {
                        plan: components["schemas"]["TruncatedRecurringPlan"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlanUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "plan.updated";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        plan: components["schemas"]["RecurringPlan"];
                    } | {
                        plan: components["schemas"]["TruncatedRecurringPlan"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlanPaused: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "plan.paused";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        plan: components["schemas"]["RecurringPlan"];
                    } | {
                        plan: components["schemas"]["TruncatedRecurringPlan"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlanResumed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "plan.resumed";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        plan: components["schemas"]["RecurringPlan"];
                    } | {
                        plan: components["schemas"]["TruncatedRecurringPlan"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlanCanceled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "plan.canceled";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        plan: components["schemas"]["RecurringPlan"];
                    } | {
                        plan: components["schemas"]["TruncatedRecurringPlan"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlanChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "plan.changed";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        plan: components["schemas"]["RecurringPlan"];
                    } | {
                        plan: components["schemas"]["TruncatedRecurringPlan"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlanChangeScheduled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "plan.change_scheduled";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        plan: components["schemas"]["RecurringPlan"];
                    } | {
                        plan: components["schemas"]["TruncatedRecurringPlan"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlanChangeRemoved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "plan.change_removed";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        plan: components["schemas"]["RecurringPlan"];
                    } | {
                        plan: components["schemas"]["TruncatedRecurringPlan"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlanTrialWillEnd: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "plan.trial_will_end";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        plan: components["schemas"]["RecurringPlan"];
                    } | {
                        plan: components["schemas"]["TruncatedRecurringPlan"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlanTrialEnded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "plan.trial_ended";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        plan: components["schemas"]["RecurringPlan"];
                    } | {
                        plan: components["schemas"]["TruncatedRecurringPlan"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlanReactivated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "plan.reactivated";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        plan: components["schemas"]["RecurringPlan"];
                    } | {
                        plan: components["schemas"]["TruncatedRecurringPlan"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlanCouponAttached: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "plan.coupon_attached";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        plan: components["schemas"]["RecurringPlan"];
                    } | {
                        plan: components["schemas"]["TruncatedRecurringPlan"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPlanCouponDetached: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "plan.coupon_detached";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        plan: components["schemas"]["RecurringPlan"];
                    } | {
                        plan: components["schemas"]["TruncatedRecurringPlan"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCycleActivated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "cycle.activated";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        plan: components["schemas"]["RecurringPlan"];
                        recurring_cycle: components["schemas"]["RecurringCycle"];
                    } | {
                        plan: components["schemas"]["TruncatedRecurringPlan"];
                        recurring_cycle: components["schemas"]["TruncatedRecurringCycle"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCyclePastDue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "cycle.past_due";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        plan: components["schemas"]["RecurringPlan"];
                        recurring_cycle: components["schemas"]["RecurringCycle"];
                    } | {
                        plan: components["schemas"]["TruncatedRecurringPlan"];
                        recurring_cycle: components["schemas"]["TruncatedRecurringCycle"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCycleUncollectible: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "cycle.uncollectible";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        plan: components["schemas"]["RecurringPlan"];
                        recurring_cycle: components["schemas"]["RecurringCycle"];
                    } | {
                        plan: components["schemas"]["TruncatedRecurringPlan"];
                        recurring_cycle: components["schemas"]["TruncatedRecurringCycle"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCycleCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "cycle.completed";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        plan: components["schemas"]["RecurringPlan"];
                        recurring_cycle: components["schemas"]["RecurringCycle"];
                    } | {
                        plan: components["schemas"]["TruncatedRecurringPlan"];
                        recurring_cycle: components["schemas"]["TruncatedRecurringCycle"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onProductCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "product.created";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        product: components["schemas"]["Product"];
                    } | {
                        product: components["schemas"]["TruncatedProduct"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onProductUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "product.updated";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        product: components["schemas"]["Product"];
                    } | {
                        product: components["schemas"]["TruncatedProduct"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onProductArchived: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "product.archived";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        product: components["schemas"]["Product"];
                    } | {
                        product: components["schemas"]["TruncatedProduct"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPriceCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "price.created";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        price: components["schemas"]["Price"];
                    } | {
                        price: components["schemas"]["TruncatedPrice"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPriceSuperseded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "price.superseded";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        price: components["schemas"]["Price"];
                    } | {
                        price: components["schemas"]["TruncatedPrice"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDunningPolicyCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "dunning_policy.created";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        dunning_policy: components["schemas"]["DunningPolicy"];
                    } | {
                        dunning_policy: components["schemas"]["TruncatedDunningPolicy"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDunningPolicyUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "dunning_policy.updated";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        dunning_policy: components["schemas"]["DunningPolicy"];
                    } | {
                        dunning_policy: components["schemas"]["TruncatedDunningPolicy"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCouponCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "coupon.created";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        coupon: components["schemas"]["Coupon"];
                    } | {
                        coupon: components["schemas"]["TruncatedCoupon"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCouponUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "coupon.updated";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        coupon: components["schemas"]["Coupon"];
                    } | {
                        coupon: components["schemas"]["TruncatedCoupon"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerErased: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "customer.erased";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        customer: components["schemas"]["ErasedCustomer"];
                    } | {
                        customer: components["schemas"]["TruncatedErasedCustomer"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentTokenActive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "payment_token.active";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        payment_token: components["schemas"]["PaymentTokenOfEvent"];
                    } | {
                        payment_token: components["schemas"]["TruncatedPaymentTokenOfEvent"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentTokenFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "payment_token.failed";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        payment_token: components["schemas"]["PaymentTokenOfEvent"];
                    } | {
                        payment_token: components["schemas"]["TruncatedPaymentTokenOfEvent"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentTokenExpiring: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "payment_token.expiring";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        payment_token: components["schemas"]["PaymentTokenOfEvent"];
                    } | {
                        payment_token: components["schemas"]["TruncatedPaymentTokenOfEvent"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentTokenDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "payment_token.deleted";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        payment_token: components["schemas"]["PaymentTokenOfEvent"];
                    } | {
                        payment_token: components["schemas"]["TruncatedPaymentTokenOfEvent"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTaxRateCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "tax_rate.created";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        tax_rate: components["schemas"]["TaxRate"];
                    } | {
                        tax_rate: components["schemas"]["TruncatedTaxRate"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageSent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "message.sent";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        message: components["schemas"]["MessageOfEvent"];
                    } | {
                        message: components["schemas"]["TruncatedMessageOfEvent"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "message.failed";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        message: components["schemas"]["MessageOfEvent"];
                    } | {
                        message: components["schemas"]["TruncatedMessageOfEvent"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageBounced: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "message.bounced";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        message: components["schemas"]["MessageOfEvent"];
                    } | {
                        message: components["schemas"]["TruncatedMessageOfEvent"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageComplained: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "message.complained";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        message: components["schemas"]["MessageOfEvent"];
                    } | {
                        message: components["schemas"]["TruncatedMessageOfEvent"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCardLinked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "card.linked";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        card: components["schemas"]["Card"];
                    } | {
                        card: components["schemas"]["TruncatedCard"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCardStatusChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "card.status_changed";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        card: components["schemas"]["Card"];
                    } | {
                        card: components["schemas"]["TruncatedCard"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCardLimitChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "card.limit_changed";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        card: components["schemas"]["Card"];
                    } | {
                        card: components["schemas"]["TruncatedCard"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCardAuthorizationApproved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "card.authorization.approved";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        authorization: components["schemas"]["CardAuthorization"];
                    } | {
                        authorization: components["schemas"]["TruncatedCardAuthorization"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCardAuthorizationDeclined: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "card.authorization.declined";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        authorization: components["schemas"]["CardAuthorization"];
                    } | {
                        authorization: components["schemas"]["TruncatedCardAuthorization"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWalletTransactionPending: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "wallet.transaction.pending";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        wallet_transaction: components["schemas"]["WalletTransaction"];
                    } | {
                        wallet_transaction: components["schemas"]["TruncatedWalletTransaction"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWalletTransactionConfirmed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "wallet.transaction.confirmed";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        wallet_transaction: components["schemas"]["WalletTransaction"];
                    } | {
                        wallet_transaction: components["schemas"]["TruncatedWalletTransaction"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWalletTransactionReorged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "wallet.transaction.reorged";
                    /**
                     * Format: date-time
                     * @description When it happened, on the clock of the business.
                     */
                    timestamp: string;
                    data: {
                        wallet_transaction: components["schemas"]["WalletTransaction"];
                    } | {
                        wallet_transaction: components["schemas"]["TruncatedWalletTransaction"];
                    };
                    /** @description Counts the events of the object from 1, without gaps. */
                    sequence: number;
                    /** @description The object that `sequence` counts for. */
                    object_id: string;
                    /**
                     * @description Present when the message would exceed 20 kB. `data` then holds only identifiers.
                     * @constant
                     */
                    truncated?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
