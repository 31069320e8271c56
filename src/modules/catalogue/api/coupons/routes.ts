import sql from 'sql-template-tag'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { filteredListQuery, readPage } from '#platform/http/validation/list'
import { IdParams } from '#platform/http/validation/schemas'
import type { CatalogueContext } from '../../context.ts'
import { couponById, couponsOfPage, createCoupon, editCoupon } from '../../coupons/coupons.ts'
import {
  createPromotionCode,
  promotionCodeById,
  promotionCodesOfPage,
} from '../../coupons/promotion-codes.ts'
import { couponFields } from '../../storage/coupon.repository.ts'
import { promotionCodeFields } from '../../storage/promotion-code.repository.ts'
import {
  renderCouponData,
  renderCouponsPage,
  renderPromotionCodeData,
  renderPromotionCodesPage,
} from './render.ts'
import {
  COUPON_EXISTS,
  CouponData,
  CouponsPage,
  CreateCouponBody,
  CreatePromotionCodeBody,
  EditCouponBody,
  PROMOTION_CODE_EXISTS,
  PromotionCodeData,
  PromotionCodesPage,
} from './schemas.ts'

const BASE = '/svc/billing/api/v1/openapi'
const TAG = 'Coupons'
const NOW = sql`now()`

export function couponRoutes(ctx: CatalogueContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${BASE}/coupons`,
      scope: 'recurring:write',
      summary: 'Create a coupon',
      tag: TAG,
      body: CreateCouponBody,
      example: { coupon: { name: 'Welcome', percent_off: 25, times: 3, max_redemptions: 100 } },
      data: CouponData,
      failures: { 409: COUPON_EXISTS },
      handle: ({ caller, body }) => createCoupon(ctx, caller, body.coupon),
      render: renderCouponData,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/coupons`,
      scope: 'recurring:read',
      summary: 'List coupons',
      tag: TAG,
      query: filteredListQuery(couponFields(NOW)),
      data: CouponsPage,
      handle: async ({ caller, query }) => {
        const request = readPage('coupons', query)
        return renderCouponsPage(request, await couponsOfPage(ctx, caller, query.filter, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/coupons/:id`,
      scope: 'recurring:read',
      summary: 'Get a coupon',
      tag: TAG,
      params: IdParams,
      data: CouponData,
      handle: ({ caller, params }) => couponById(ctx, caller, params.id),
      render: renderCouponData,
    }),
    defineRoute({
      method: 'PUT',
      path: `${BASE}/coupons/:id`,
      scope: 'recurring:write',
      summary: 'Edit a coupon',
      description: 'Members that are left out stay. Plans that have the coupon keep it.',
      tag: TAG,
      params: IdParams,
      body: EditCouponBody,
      example: { coupon: { max_redemptions: 200 } },
      data: CouponData,
      handle: ({ caller, params, body }) => editCoupon(ctx, caller, params.id, body.coupon),
      render: renderCouponData,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/promotion_codes`,
      scope: 'recurring:write',
      summary: 'Create a promotion code',
      description: 'It goes wherever the id of its coupon does.',
      tag: TAG,
      body: CreatePromotionCodeBody,
      example: { promotion_code: { coupon_id: 'cpn_01m82g27rde57v77qfb3qj2d2m', code: 'WELCOME' } },
      data: PromotionCodeData,
      failures: { 409: PROMOTION_CODE_EXISTS },
      handle: ({ caller, body }) => createPromotionCode(ctx, caller, body.promotion_code),
      render: renderPromotionCodeData,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/promotion_codes`,
      scope: 'recurring:read',
      summary: 'List promotion codes',
      tag: TAG,
      query: filteredListQuery(promotionCodeFields(NOW)),
      data: PromotionCodesPage,
      handle: async ({ caller, query }) => {
        const request = readPage('promotion_codes', query)
        return renderPromotionCodesPage(
          request,
          await promotionCodesOfPage(ctx, caller, query.filter, request),
        )
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/promotion_codes/:id`,
      scope: 'recurring:read',
      summary: 'Get a promotion code',
      tag: TAG,
      params: IdParams,
      data: PromotionCodeData,
      handle: ({ caller, params }) => promotionCodeById(ctx, caller, params.id),
      render: renderPromotionCodeData,
    }),
  ]
}
