import type { AdminParts } from '../admin-parts.js';
import type { AdminRoute } from '../http/admin-route.js';
import { catalogueRoutes } from './catalogue.routes.js';
import { keyRoutes } from './key.routes.js';
import { moduleRoutes } from './module.routes.js';
import { problemRoutes } from './problem.routes.js';
import { secretRoutes } from './secret.routes.js';
import { sessionRoutes } from './session.routes.js';
import { sourceRoutes } from './source.routes.js';
import { tenantRoutes } from './tenant.routes.js';

/** Every route of the admin API. */
export function adminRoutes(parts: AdminParts): readonly AdminRoute[] {
  return [
    ...sessionRoutes(parts),
    ...tenantRoutes(parts),
    ...moduleRoutes(parts),
    ...sourceRoutes(parts),
    ...catalogueRoutes(parts),
    ...secretRoutes(parts),
    ...keyRoutes(parts),
    ...problemRoutes(),
  ];
}
