import type { AdminParts } from '../admin-parts.js';
import type { AdminRoute } from '../http/admin-route.js';
import { activityRoutes } from './activity.routes.js';
import { catalogueRoutes } from './catalogue.routes.js';
import { clientRoutes } from './client.routes.js';
import { withDocument } from './document.routes.js';
import { exportRoutes } from './export.routes.js';
import { keyRoutes } from './key.routes.js';
import { memberRoutes } from './member.routes.js';
import { moduleRoutes } from './module.routes.js';
import { noticeRoutes } from './notice.routes.js';
import { policyRoutes } from './policy.routes.js';
import { problemRoutes } from './problem.routes.js';
import { secretRoutes } from './secret.routes.js';
import { sessionRoutes } from './session.routes.js';
import { sourceRoutes } from './source.routes.js';
import { tenantRoutes } from './tenant.routes.js';
import { tokenRoutes } from './token.routes.js';

/** Every route of the admin API. */
export function adminRoutes(parts: AdminParts): readonly AdminRoute[] {
  const routes = [
    ...sessionRoutes(parts),
    ...tenantRoutes(parts),
    ...moduleRoutes(parts),
    ...sourceRoutes(parts),
    ...noticeRoutes(parts),
    ...catalogueRoutes(parts),
    ...secretRoutes(parts),
    ...memberRoutes(parts),
    ...policyRoutes(parts),
    ...clientRoutes(parts),
    ...tokenRoutes(parts),
    ...activityRoutes(parts),
    ...exportRoutes(parts),
    ...keyRoutes(parts),
    ...problemRoutes(),
  ];
  return withDocument(routes, parts.version);
}
