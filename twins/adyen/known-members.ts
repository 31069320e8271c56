/** Members of the request types of Checkout v72, by the names of its OpenAPI description. */
const MEMBERS = {
  Amount: 'currency value',
  PaymentRequest: `accountInfo additionalAmount additionalData amount applicationInfo authenticationData bankAccount
    billingAddress browserInfo captureDelayHours channel checkoutAttemptId company countryCode dateOfBirth dccQuote deliverAt
    deliveryAddress deliveryDate deviceFingerprint enableOneClick enablePayOut enableRecurring enhancedSchemeData entityType
    fraudOffset fundOrigin fundRecipient industryUsage installments lineItems localizedShopperStatement mandate mcc
    merchantAccount merchantOrderReference merchantRiskIndicator metadata mpiData order orderReference origin paymentMethod
    paymentValidations platformChargebackLogic recurringExpiry recurringFrequency recurringProcessingModel
    redirectFromIssuerMethod redirectToIssuerMethod reference returnUrl riskData sessionValidity shopperConversionId
    shopperEmail shopperIP shopperInteraction shopperLocale shopperName shopperReference shopperStatement shopperTaxInfo
    socialSecurityNumber splits store storePaymentMethod subMerchants surcharge telephoneNumber threeDS2RequestData
    threeDSAuthenticationOnly trustedShopper`,
  PaymentMethodsRequest: `additionalData allowedPaymentMethods amount blockedPaymentMethods browserInfo channel countryCode
    merchantAccount order shopperConversionId shopperEmail shopperIP shopperLocale shopperReference
    splitCardFundingSources store storeFiltrationMode telephoneNumber`,
  CardDetails: `billingSequenceNumber brand checkoutAttemptId cupsecureplus.smscode cvc encryptedCard encryptedCardNumber
    encryptedExpiryMonth encryptedExpiryYear encryptedPassword encryptedSecurityCode expiryMonth expiryYear fastlaneData
    fundingSource holderName networkPaymentReference number recurringDetailReference sdkData shopperNotificationReference
    srcCorrelationId srcDigitalCardId srcScheme srcTokenReference storedPaymentMethodId threeDS2SdkVersion type`,
  PaymentMethodToStore: `brand cvc encryptedCard encryptedCardNumber encryptedExpiryMonth encryptedExpiryYear
    encryptedSecurityCode expiryMonth expiryYear holderName number type`,
  PaymentDetailsRequest: 'authenticationData details paymentData threeDSAuthenticationOnly',
  PaymentCaptureRequest: `amount applicationInfo enhancedSchemeData lineItems merchantAccount platformChargebackLogic
    reference splits subMerchants`,
  PaymentRefundRequest: `amount applicationInfo capturePspReference enhancedSchemeData lineItems merchantAccount
    merchantRefundReason reference splits store`,
  PaymentCancelRequest: 'applicationInfo merchantAccount reference',
  PaymentReversalRequest: 'applicationInfo merchantAccount reference',
  StandalonePaymentCancelRequest: 'applicationInfo merchantAccount paymentReference reference',
  StoredPaymentMethodRequest: `merchantAccount paymentMethod recurringProcessingModel shopperEmail shopperIP
    shopperReference`,
} as const

export type RequestType = keyof typeof MEMBERS

const KNOWN = new Map(Object.entries(MEMBERS).map(([type, names]) => [type, new Set(names.split(/\s+/))]))

export function membersOf(type: RequestType): ReadonlySet<string> {
  return KNOWN.get(type) ?? new Set()
}
