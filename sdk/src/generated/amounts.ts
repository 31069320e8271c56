// Generated from openapi.json by `npm run sdk:generate`. Do not edit.
import type { Amounts } from '../json.ts'

/** The amounts in the body of a request that are JSON numbers. */
export const REQUEST_AMOUNTS: Readonly<Record<string, Amounts>> = {
  "put /svc/account/api/v1/openapi/routing": {
    "routing": {
      "rules": {
        "when": {
          "min_amount": true,
          "max_amount": true
        }
      }
    }
  },
  "post /svc/account/api/v1/openapi/routing/preview": {
    "amount": true
  },
  "put /svc/billing/api/v1/openapi/settings": {
    "settings": {
      "write_off_up_to": {
        "*": true
      },
      "accounts": {
        "revenue": {
          "percentage": true
        },
        "tax": {
          "percentage": true
        }
      }
    }
  },
  "post /svc/billing/api/v1/openapi/tax_rates": {
    "tax_rate": {
      "percentage": true
    }
  },
  "put /svc/billing/api/v1/openapi/exchange_rates": {
    "exchange_rates": {
      "rate": true
    }
  },
  "post /svc/payment/api/v1/openapi/orders": {
    "order": {
      "initial_total": true,
      "initial_tips": true,
      "line_items": {
        "price": true
      }
    }
  },
  "post /svc/payment/api/v1/openapi/orders/pay": {
    "transaction": {
      "amount": true
    }
  },
  "post /svc/payment/api/v1/openapi/transactions/capture": {
    "amount": true
  },
  "post /svc/payment/api/v1/openapi/transactions/refund": {
    "amount": true
  },
  "post /svc/payment/api/v1/openapi/transactions/void": {
    "amount": true
  },
  "post /svc/billing/api/v1/openapi/invoices": {
    "invoice": {
      "lines": {
        "quantity": true,
        "unit_amount": true
      }
    }
  },
  "post /svc/billing/api/v1/openapi/invoices/preview": {
    "invoice": {
      "lines": {
        "quantity": true,
        "unit_amount": true
      }
    }
  },
  "put /svc/billing/api/v1/openapi/invoices/{id}": {
    "invoice": {
      "lines": {
        "quantity": true,
        "unit_amount": true
      }
    }
  },
  "post /svc/billing/api/v1/openapi/invoices/{id}/credit_notes": {
    "credit_note": {
      "lines": {
        "amount": true
      },
      "amount": true
    }
  },
  "post /svc/billing/api/v1/openapi/bank_entries/{id}/match": {
    "invoices": {
      "amount": true
    }
  },
  "post /svc/billing/api/v1/openapi/invoices/{id}/payments": {
    "payment": {
      "amount": true,
      "fee": true
    }
  },
  "post /svc/billing/api/v1/openapi/orders/{number}/repayments": {
    "repayment": {
      "amount": true
    }
  },
  "post /svc/billing/api/v1/openapi/invoices/{id}/write_off": {
    "amount": true
  },
  "post /svc/payment/api/v1/openapi/recurring_payments/items": {
    "recurring_item": {
      "price": true
    }
  },
  "post /svc/payment/api/v1/openapi/recurring_payments/plan": {
    "plan": {
      "recurring_cycles": {
        "discount_amount": true
      }
    }
  },
  "post /svc/payment/api/v1/openapi/recurring_payments/plan/preview": {
    "plan": {
      "recurring_cycles": {
        "discount_amount": true
      }
    }
  },
  "post /svc/payment/api/v1/openapi/recurring_payments/plan/{id}/change": {
    "change": {
      "expected_total": true
    }
  },
  "post /svc/payment/api/v1/openapi/recurring_payments/plan/{id}/change/preview": {
    "change": {
      "expected_total": true
    }
  },
  "post /svc/payment/api/v1/openapi/recurring_payments/plan/{id}/credit": {
    "amount": true
  },
  "post /svc/billing/api/v1/openapi/prices": {
    "price": {
      "unit_amount": true,
      "tiers": {
        "up_to": true,
        "unit_amount": true,
        "flat_amount": true
      }
    }
  },
  "post /svc/billing/api/v1/openapi/prices/{id}/versions": {
    "price": {
      "unit_amount": true,
      "tiers": {
        "up_to": true,
        "unit_amount": true,
        "flat_amount": true
      }
    }
  },
  "post /svc/billing/api/v1/openapi/coupons": {
    "coupon": {
      "percent_off": true,
      "amount_off": true,
      "minimum_amount": true
    }
  },
  "post /svc/portal/api/v1/openapi/plans/{id}/change": {
    "change": {
      "expected_total": true
    }
  },
  "post /svc/portal/api/v1/openapi/plans/{id}/reactivate": {
    "expected_total": true
  },
  "post /svc/portal/api/v1/openapi/invoices/{id}/pay": {
    "expected_total": true
  }
}

/** The amounts in `data` of every response, failure and event that are JSON numbers. */
export const RESPONSE_AMOUNTS: Amounts = {
  "routing": {
    "rules": {
      "when": {
        "min_amount": true,
        "max_amount": true
      }
    }
  },
  "settings": {
    "accounts": {
      "revenue": {
        "percentage": true
      },
      "tax": {
        "percentage": true
      }
    },
    "write_off_up_to": {
      "*": true
    }
  },
  "tax_rate": {
    "percentage": true
  },
  "rates": {
    "percentage": true
  },
  "sum": true,
  "tax_rates": {
    "percentage": true
  },
  "exchange_rates": {
    "rate": true
  },
  "order": {
    "initial_total": true,
    "initial_tips": true,
    "subtotal": true,
    "billing": {
      "tax": {
        "total": true,
        "groups": {
          "percentage": true,
          "base": true,
          "amount": true
        }
      },
      "credited_total": true,
      "written_off": true,
      "moved_to_credit": true
    },
    "line_items": {
      "price": true,
      "total": true
    },
    "transactions": {
      "amount": true,
      "payment_data": {
        "fee": true
      }
    },
    "amount": true,
    "paid_total": true
  },
  "orders": {
    "initial_total": true,
    "initial_tips": true,
    "subtotal": true,
    "billing": {
      "tax": {
        "total": true,
        "groups": {
          "percentage": true,
          "base": true,
          "amount": true
        }
      },
      "credited_total": true,
      "written_off": true,
      "moved_to_credit": true
    },
    "line_items": {
      "price": true,
      "total": true
    },
    "transactions": {
      "amount": true,
      "payment_data": {
        "fee": true
      }
    },
    "amount": true,
    "recurring_cycle": {
      "recurring_items": {
        "price": true
      },
      "billing_amount": true,
      "discount_amount": true
    },
    "tax": {
      "total": true,
      "groups": {
        "percentage": true,
        "base": true,
        "amount": true
      }
    }
  },
  "transaction": {
    "amount": true,
    "payment_data": {
      "fee": true
    }
  },
  "transactions": {
    "amount": true,
    "payment_data": {
      "fee": true
    }
  },
  "disputes": {
    "amount": true
  },
  "dispute": {
    "amount": true
  },
  "reconciliations": {
    "payout": {
      "amount": true
    },
    "fees": {
      "amount": true
    },
    "totals": {
      "gross": true,
      "fee": true,
      "net": true
    }
  },
  "reconciliation": {
    "payout": {
      "amount": true
    },
    "fees": {
      "amount": true
    },
    "totals": {
      "gross": true,
      "fee": true,
      "net": true
    }
  },
  "entries": {
    "gross": true,
    "fee": true,
    "net": true,
    "paid": {
      "amount": true
    },
    "expected": {
      "amount": true
    }
  },
  "invoice": {
    "settlement": {
      "due": true,
      "refunded": true,
      "credited": true
    },
    "lines": {
      "quantity": true,
      "unit_amount": true,
      "amount": true,
      "discount": true,
      "net": true,
      "tax": true,
      "total": true,
      "rates": {
        "percentage": true
      }
    },
    "taxes": {
      "percentage": true,
      "base": true,
      "amount": true,
      "base_in_tax_currency": true,
      "amount_in_tax_currency": true
    },
    "exchange_rate": true,
    "tax_total_in_tax_currency": true,
    "net_total": true,
    "tax_total": true,
    "total": true,
    "prepaid": true,
    "amount_due": true,
    "credited_total": true,
    "payments": {
      "amount": true,
      "fee": true
    },
    "overpaid": true,
    "draft": {
      "lines": {
        "quantity": true,
        "unit_amount": true
      }
    }
  },
  "invoices": {
    "settlement": {
      "due": true,
      "refunded": true,
      "credited": true
    },
    "lines": {
      "quantity": true,
      "unit_amount": true,
      "amount": true,
      "discount": true,
      "net": true,
      "tax": true,
      "total": true,
      "rates": {
        "percentage": true
      }
    },
    "taxes": {
      "percentage": true,
      "base": true,
      "amount": true,
      "base_in_tax_currency": true,
      "amount_in_tax_currency": true
    },
    "exchange_rate": true,
    "tax_total_in_tax_currency": true,
    "net_total": true,
    "tax_total": true,
    "total": true,
    "prepaid": true,
    "amount_due": true,
    "credited_total": true,
    "payments": {
      "amount": true,
      "fee": true
    },
    "overpaid": true,
    "draft": {
      "lines": {
        "quantity": true,
        "unit_amount": true
      }
    }
  },
  "totals": {
    "net_total": true,
    "tax_total": true,
    "total": true,
    "amount_due": true,
    "currencies": {
      "paid_total": true,
      "refunded_total": true,
      "net_total": true,
      "disputed_total": true,
      "fee_total": true,
      "settled_paid_total": true,
      "recurring_paid_total": true,
      "before": {
        "paid_total": true,
        "refunded_total": true,
        "net_total": true,
        "disputed_total": true,
        "fee_total": true,
        "settled_paid_total": true,
        "recurring_paid_total": true
      },
      "change": {
        "paid_total": true,
        "refunded_total": true,
        "net_total": true
      }
    }
  },
  "accounts": {
    "percentage": true
  },
  "credit_note": {
    "settlement": {
      "due": true,
      "refunded": true,
      "credited": true
    },
    "lines": {
      "quantity": true,
      "unit_amount": true,
      "amount": true,
      "discount": true,
      "net": true,
      "tax": true,
      "total": true,
      "rates": {
        "percentage": true
      }
    },
    "taxes": {
      "percentage": true,
      "base": true,
      "amount": true,
      "base_in_tax_currency": true,
      "amount_in_tax_currency": true
    },
    "exchange_rate": true,
    "tax_total_in_tax_currency": true,
    "net_total": true,
    "tax_total": true,
    "total": true,
    "prepaid": true,
    "amount_due": true,
    "credited_total": true,
    "payments": {
      "amount": true,
      "fee": true
    },
    "overpaid": true
  },
  "taxes": {
    "percentage": true,
    "net": true,
    "tax": true,
    "net_in_tax_currency": true,
    "tax_in_tax_currency": true
  },
  "rows": {
    "percentage": true,
    "net": true,
    "tax": true,
    "net_in_tax_currency": true,
    "tax_in_tax_currency": true,
    "amount": true
  },
  "buyers": {
    "net": true,
    "tax": true
  },
  "open": {
    "total": true,
    "prepaid": true,
    "paid": true,
    "credited": true,
    "written_off": true,
    "due": true
  },
  "ages": {
    "due": true,
    "not_due": true,
    "1_30": true,
    "31_60": true,
    "61_90": true,
    "over_90": true
  },
  "bank_entries": {
    "amount": true,
    "invoices": {
      "amount": true
    },
    "suggestions": {
      "invoices": {
        "amount_due": true,
        "amount": true
      }
    }
  },
  "bank_entry": {
    "amount": true,
    "invoices": {
      "amount": true
    },
    "suggestions": {
      "invoices": {
        "amount_due": true,
        "amount": true
      }
    }
  },
  "recurring_item": {
    "price": true
  },
  "recurring_items": {
    "price": true
  },
  "plan": {
    "credit": true,
    "pending_lines": {
      "price": true,
      "total": true
    },
    "recurring_cycles": {
      "recurring_items": {
        "price": true
      },
      "billing_amount": true,
      "discount_amount": true
    },
    "coupons": {
      "percent_off": true,
      "amount_off": true
    },
    "current_order": {
      "amount": true,
      "paid_total": true
    }
  },
  "plans": {
    "credit": true,
    "pending_lines": {
      "price": true,
      "total": true
    },
    "recurring_cycles": {
      "recurring_items": {
        "price": true
      },
      "billing_amount": true,
      "discount_amount": true
    },
    "coupons": {
      "percent_off": true,
      "amount_off": true
    },
    "current_order": {
      "amount": true,
      "paid_total": true
    }
  },
  "recurring_cycle": {
    "recurring_items": {
      "price": true
    },
    "discount_amount": true,
    "billing_amount": true
  },
  "change": {
    "line_items": {
      "price": true,
      "total": true
    },
    "credited": {
      "amount": true
    },
    "total": true,
    "tax": {
      "total": true,
      "groups": {
        "percentage": true,
        "base": true,
        "amount": true
      }
    },
    "credit_added": true
  },
  "total": true,
  "price": {
    "unit_amount": true,
    "tiers": {
      "up_to": true,
      "unit_amount": true,
      "flat_amount": true
    }
  },
  "prices": {
    "unit_amount": true,
    "tiers": {
      "up_to": true,
      "unit_amount": true,
      "flat_amount": true
    }
  },
  "coupon": {
    "percent_off": true,
    "amount_off": true,
    "minimum_amount": true
  },
  "coupons": {
    "percent_off": true,
    "amount_off": true,
    "minimum_amount": true
  },
  "events": {
    "data": {
      "order": {
        "initial_total": true,
        "initial_tips": true,
        "subtotal": true,
        "billing": {
          "tax": {
            "total": true,
            "groups": {
              "percentage": true,
              "base": true,
              "amount": true
            }
          },
          "credited_total": true,
          "written_off": true,
          "moved_to_credit": true
        },
        "line_items": {
          "price": true,
          "total": true
        },
        "transactions": {
          "amount": true,
          "payment_data": {
            "fee": true
          }
        }
      },
      "transaction": {
        "amount": true,
        "payment_data": {
          "fee": true
        }
      },
      "dispute": {
        "amount": true
      },
      "invoice": {
        "settlement": {
          "due": true,
          "refunded": true,
          "credited": true
        },
        "lines": {
          "quantity": true,
          "unit_amount": true,
          "amount": true,
          "discount": true,
          "net": true,
          "tax": true,
          "total": true,
          "rates": {
            "percentage": true
          }
        },
        "taxes": {
          "percentage": true,
          "base": true,
          "amount": true,
          "base_in_tax_currency": true,
          "amount_in_tax_currency": true
        },
        "exchange_rate": true,
        "tax_total_in_tax_currency": true,
        "net_total": true,
        "tax_total": true,
        "total": true,
        "prepaid": true,
        "amount_due": true,
        "credited_total": true,
        "payments": {
          "amount": true,
          "fee": true
        },
        "overpaid": true
      },
      "credit_note": {
        "settlement": {
          "due": true,
          "refunded": true,
          "credited": true
        },
        "lines": {
          "quantity": true,
          "unit_amount": true,
          "amount": true,
          "discount": true,
          "net": true,
          "tax": true,
          "total": true,
          "rates": {
            "percentage": true
          }
        },
        "taxes": {
          "percentage": true,
          "base": true,
          "amount": true,
          "base_in_tax_currency": true,
          "amount_in_tax_currency": true
        },
        "exchange_rate": true,
        "tax_total_in_tax_currency": true,
        "net_total": true,
        "tax_total": true,
        "total": true,
        "prepaid": true,
        "amount_due": true,
        "credited_total": true,
        "payments": {
          "amount": true,
          "fee": true
        },
        "overpaid": true
      },
      "bank_entry": {
        "amount": true,
        "invoices": {
          "amount": true
        },
        "suggestions": {
          "invoices": {
            "amount_due": true,
            "amount": true
          }
        }
      },
      "plan": {
        "credit": true,
        "pending_lines": {
          "price": true,
          "total": true
        },
        "recurring_cycles": {
          "recurring_items": {
            "price": true
          },
          "billing_amount": true,
          "discount_amount": true
        },
        "coupons": {
          "percent_off": true,
          "amount_off": true
        },
        "current_order": {
          "amount": true,
          "paid_total": true
        }
      },
      "recurring_cycle": {
        "recurring_items": {
          "price": true
        },
        "billing_amount": true,
        "discount_amount": true
      },
      "price": {
        "unit_amount": true,
        "tiers": {
          "up_to": true,
          "unit_amount": true,
          "flat_amount": true
        }
      },
      "coupon": {
        "percent_off": true,
        "amount_off": true,
        "minimum_amount": true
      },
      "tax_rate": {
        "percentage": true
      }
    }
  },
  "event": {
    "data": {
      "order": {
        "initial_total": true,
        "initial_tips": true,
        "subtotal": true,
        "billing": {
          "tax": {
            "total": true,
            "groups": {
              "percentage": true,
              "base": true,
              "amount": true
            }
          },
          "credited_total": true,
          "written_off": true,
          "moved_to_credit": true
        },
        "line_items": {
          "price": true,
          "total": true
        },
        "transactions": {
          "amount": true,
          "payment_data": {
            "fee": true
          }
        }
      },
      "transaction": {
        "amount": true,
        "payment_data": {
          "fee": true
        }
      },
      "dispute": {
        "amount": true
      },
      "invoice": {
        "settlement": {
          "due": true,
          "refunded": true,
          "credited": true
        },
        "lines": {
          "quantity": true,
          "unit_amount": true,
          "amount": true,
          "discount": true,
          "net": true,
          "tax": true,
          "total": true,
          "rates": {
            "percentage": true
          }
        },
        "taxes": {
          "percentage": true,
          "base": true,
          "amount": true,
          "base_in_tax_currency": true,
          "amount_in_tax_currency": true
        },
        "exchange_rate": true,
        "tax_total_in_tax_currency": true,
        "net_total": true,
        "tax_total": true,
        "total": true,
        "prepaid": true,
        "amount_due": true,
        "credited_total": true,
        "payments": {
          "amount": true,
          "fee": true
        },
        "overpaid": true
      },
      "credit_note": {
        "settlement": {
          "due": true,
          "refunded": true,
          "credited": true
        },
        "lines": {
          "quantity": true,
          "unit_amount": true,
          "amount": true,
          "discount": true,
          "net": true,
          "tax": true,
          "total": true,
          "rates": {
            "percentage": true
          }
        },
        "taxes": {
          "percentage": true,
          "base": true,
          "amount": true,
          "base_in_tax_currency": true,
          "amount_in_tax_currency": true
        },
        "exchange_rate": true,
        "tax_total_in_tax_currency": true,
        "net_total": true,
        "tax_total": true,
        "total": true,
        "prepaid": true,
        "amount_due": true,
        "credited_total": true,
        "payments": {
          "amount": true,
          "fee": true
        },
        "overpaid": true
      },
      "bank_entry": {
        "amount": true,
        "invoices": {
          "amount": true
        },
        "suggestions": {
          "invoices": {
            "amount_due": true,
            "amount": true
          }
        }
      },
      "plan": {
        "credit": true,
        "pending_lines": {
          "price": true,
          "total": true
        },
        "recurring_cycles": {
          "recurring_items": {
            "price": true
          },
          "billing_amount": true,
          "discount_amount": true
        },
        "coupons": {
          "percent_off": true,
          "amount_off": true
        },
        "current_order": {
          "amount": true,
          "paid_total": true
        }
      },
      "recurring_cycle": {
        "recurring_items": {
          "price": true
        },
        "billing_amount": true,
        "discount_amount": true
      },
      "price": {
        "unit_amount": true,
        "tiers": {
          "up_to": true,
          "unit_amount": true,
          "flat_amount": true
        }
      },
      "coupon": {
        "percent_off": true,
        "amount_off": true,
        "minimum_amount": true
      },
      "tax_rate": {
        "percentage": true
      }
    }
  },
  "timeline": {
    "past": {
      "details": {
        "amount": true
      }
    },
    "next": {
      "amount": true
    }
  },
  "bulk_action": {
    "amounts": {
      "total": true
    }
  },
  "bulk_actions": {
    "amounts": {
      "total": true
    }
  },
  "overview": {
    "today": {
      "paid_total": true,
      "refunded_total": true
    },
    "days": {
      "paid_total": true,
      "refunded_total": true,
      "recurring_paid_total": true,
      "dunning_recovered_total": true,
      "dunning_attempted_total": true
    },
    "declines": {
      "total": true
    },
    "recurring": {
      "monthly_total": true
    }
  },
  "next_bills": {
    "amount": true
  },
  "due_orders": {
    "amount": true
  }
}
