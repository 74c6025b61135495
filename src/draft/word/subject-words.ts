/** What agents are seldom asked for, in a path or an operationId. */
export const SIDE_WORDS: ReadonlySet<string> = new Set(
  `health healthz ping ready live liveness readiness openapi swagger docs schema schemas metrics login logout oauth oauth2 token tokens auth saml
sso callback callbacks webhook webhooks hook hooks internal debug beta preview test tests migration migrations license licenses telemetry feedback
archive raw binary avatar icon image logo thumbnail preferences settings config
configuration session sessions key keys secret secrets credential credentials password certificate certificates ca cert subscribe subscription_schedules
delta watch proxy attach exec scale finalize ui edge enterprise enterprises permission permissions template templates bindings token
mfa policy policies feeds emojis emoji gitignore markdown meta zen octocat codes legacy deprecated admin client frontend sdk codespaces installation installations invitations invitation
marketplace toggles apidocs trash terms mapping mappings privilege privileges`.split(/\s+/),
);
/** What is done with many things or with files; an area of an API may be called so too. */
export const SIDE_DEEDS: ReadonlySet<string> = new Set(
  "batch bulk options export exports import imports download downloads upload uploads".split(" "),
);
/** What they often are. */
export const CENTRAL_WORDS: ReadonlySet<string> = new Set(
  `search user users project projects issue issues task tasks customer customers order orders invoice invoices payment payments message messages
file files folder folders event events account accounts product products member members team teams team comment comments repo repos repository
repositories pull pulls commit commits release releases channel channels conversation conversations zone zones record records cost costs usage
report reports stat stats statistics recommendation recommendations anomaly anomalies forecast forecasts alert alerts incident incidents log logs query deployment deployments pod pods node nodes service services
namespace namespaces container containers image images volume volumes network networks domain domains server servers droplet droplets app apps feature
features flag flags segment segments environment environments booking bookings contact contacts email emails call calls calendar drive drives
group groups charge charges refund refunds subscription subscriptions price prices balance balance_transactions payout payouts dispute disputes workspace workspaces portfolio
portfolios goal goals section sections story stories ticket tickets budget budgets resource resources audit history
item items cluster clusters database databases model models
job jobs run runs build builds branch branches workflow workflows pipeline pipelines post posts page pages document documents article articles device devices
firewall firewalls balancer balancers snapshot snapshots backup backups number numbers
transaction transactions transfer transfers employee employees company companies lead leads deal deals campaign campaigns review reviews location locations milestone milestones`.split(
    /\s+/,
  ),
);

/** `search_users` and `user_search` search, `file_search_calls` are calls. */
export function saysSearch(words: readonly string[]): boolean {
  return [words[0], words.at(-1)].some((word) => /^(search|lookup|find)$/.test(word ?? ""));
}
