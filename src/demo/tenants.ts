export interface Tenant {
  readonly id: string;
  readonly name: string;
  /** ISO 4217 codes of the invoices; empty for a tenant whose billing data was never connected. */
  readonly currencies: readonly string[];
}

/** Who pays whom: one billing account of a tenant with a provider. */
export interface Account {
  readonly tenant: string;
  readonly provider: ProviderName;
  readonly currency: string;
  readonly billingAccountId: string;
  readonly billingAccountName: string;
  readonly issuer: string;
  /** Price after negotiated discounts, as a share of the list price. */
  readonly contracted: string;
  /** Tax on the month's bill, as a share; zero for no tax rows. */
  readonly tax: string;
  /** Goodwill or programme credit per month, in the account's currency. */
  readonly credit: string;
  /** How many resources every service line of the provider gets. */
  readonly copies: number;
}

export type ProviderName = "AWS" | "Microsoft" | "Google Cloud" | "Oracle";

export const TENANTS: readonly Tenant[] = [
  { id: "acme", name: "Acme Corporation", currencies: ["USD"] },
  { id: "globex", name: "Globex Europe", currencies: ["EUR", "USD"] },
  { id: "hooli", name: "Hooli Labs", currencies: [] },
  { id: "initech", name: "Initech", currencies: ["USD"] },
];

const aws = { provider: "AWS", issuer: "Amazon Web Services, Inc." } as const;
const azure = { provider: "Microsoft", issuer: "Microsoft" } as const;

/** The ids and the name SunBird are those of the sample, so that its rows and the generated ones share accounts. */
export const ACCOUNTS: readonly Account[] = [
  {
    ...aws,
    tenant: "acme",
    currency: "USD",
    billingAccountId: "1234567890123",
    billingAccountName: "SunBird",
    contracted: "0.940",
    tax: "0",
    credit: "412.5",
    copies: 3,
  },
  {
    ...azure,
    tenant: "acme",
    currency: "USD",
    billingAccountId: "/providers/Microsoft.Billing/billingAccounts/8611537",
    billingAccountName: "SunBird",
    contracted: "0.900",
    tax: "0",
    credit: "250",
    copies: 3,
  },
  {
    tenant: "acme",
    provider: "Google Cloud",
    issuer: "Google LLC",
    currency: "USD",
    billingAccountId: "01A2B3-C4D5E6-F7A8B9",
    billingAccountName: "Acme Analytics",
    contracted: "0.970",
    tax: "0.0625",
    credit: "120",
    copies: 3,
  },
  {
    tenant: "acme",
    provider: "Oracle",
    issuer: "Oracle",
    currency: "USD",
    billingAccountId: "20209880",
    billingAccountName: "Acme OCI",
    contracted: "1.000",
    tax: "0",
    credit: "0",
    copies: 2,
  },
  {
    ...aws,
    tenant: "globex",
    issuer: "Amazon Web Services EMEA SARL",
    currency: "USD",
    billingAccountId: "998877665544",
    billingAccountName: "Globex EMEA",
    contracted: "0.960",
    tax: "0",
    credit: "95",
    copies: 2,
  },
  {
    ...azure,
    tenant: "globex",
    issuer: "Microsoft Ireland Operations Limited",
    currency: "EUR",
    billingAccountId: "/providers/Microsoft.Billing/billingAccounts/5520913",
    billingAccountName: "Globex Europe",
    contracted: "0.920",
    tax: "0.21",
    credit: "180",
    copies: 2,
  },
  {
    ...aws,
    tenant: "initech",
    currency: "USD",
    billingAccountId: "443322110099",
    billingAccountName: "Initech",
    contracted: "1.000",
    tax: "0.0825",
    credit: "60",
    copies: 2,
  },
];
