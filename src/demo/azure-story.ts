/**
 * THE STORY. Why did acme's Azure bill rise in the last complete month? Because one machine learning cluster of team `forecasting`
 * (service Azure Machine Learning, region westeurope, resource group rg-demand-forecast, resource gpu-train) went from 20 node
 * hours a day to 140 and stayed there. Grouping by FOCUS/ServiceName shows the service; then Tags/team, FOCUS/RegionId or
 * Azure/ResourceGroup shows the one value. Nothing else at Microsoft moves by more than the length of a month explains.
 */
export const AZURE_STORY = {
  tenant: "acme",
  provider: "Microsoft",
  service: "Azure Machine Learning",
  team: "forecasting",
  region: ["westeurope", "West Europe"],
  resourceGroup: "rg-demand-forecast",
  resourceName: "gpu-train",
  nodeHoursADay: 20,
  /** What usage is multiplied by from the last complete month on, in thousandths. */
  step: 7_000,
} as const;
