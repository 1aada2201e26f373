import { type Route, routeOf, type RouteRow } from '../kernel/route.ts';
import * as agents from './agents/routes.ts';
import * as editions from './agents/editions/routes.ts';
import * as analytics from './analytics/routes.ts';
import * as calendar from './calendar/routes.ts';
import { describedRoutesOf } from './calls/carriers/driver.ts';
import { carrierDrivers } from './calls/carriers/index.ts';
import * as callExport from './calls/export/routes.ts';
import * as conversations from './calls/conversations/routes.ts';
import * as inCall from './calls/live-routes.ts';
import * as recordings from './calls/recordings/routes.ts';
import * as calls from './calls/routes.ts';
import * as trunkCheck from './calls/trunk-check-routes.ts';
import * as campaignActivity from './campaigns/results/activity-routes.ts';
import * as campaignContacts from './campaigns/contacts/routes.ts';
import * as campaignHistory from './campaigns/results/history-routes.ts';
import * as campaignPlans from './campaigns/plan/routes.ts';
import * as campaignResults from './campaigns/results/results-routes.ts';
import * as campaignImport from './campaigns/contacts/import-routes.ts';
import * as campaigns from './campaigns/routes.ts';
import * as callingStop from './campaigns/stop/routes.ts';
import * as why from './campaigns/why/routes.ts';
import * as campaignZones from './campaigns/schedule/zones-routes.ts';
import * as catalog from './catalog/routes.ts';
import * as contactCsv from './contacts/csv/routes.ts';
import * as contactImport from './contacts/import/routes.ts';
import * as doNotCall from './contacts/do-not-call-routes.ts';
import * as notes from './contacts/notes-routes.ts';
import * as contacts from './contacts/routes.ts';
import * as documents from './knowledge/documents/routes.ts';
import * as knowledge from './knowledge/bases/routes.ts';
import * as sources from './knowledge/sources/routes.ts';
import * as finder from './finder/routes.ts';
import * as live from './live/routes.ts';
import * as notifications from './notifications/routes.ts';
import * as numbers from './numbers/routes.ts';
import * as organizations from './organizations/routes.ts';
import * as logIn from './organizations/log-in/routes.ts';
import * as people from './organizations/people/routes.ts';
import * as sessions from './organizations/sessions/routes.ts';
import * as requests from './requests/routes.ts';
import * as privacy from './privacy/routes.ts';
import * as views from './views/routes.ts';
import * as webhooks from './webhooks/routes.ts';

/** Placeholder for the routes of the carrier drivers, which calls/carriers/<driver>/driver.ts list. */
const carrierRows = 'carrier drivers';

/**
 * All routes of the API: method, path, operation, and the least role that may call it. A `public` operation needs no credentials, a
 * `bearer` one accepts only access tokens and sessions, a `session` one only sessions, all others also an API key. `parley routes` prints this table.
 */
// oxfmt-ignore
const table: ReadonlyArray<RouteRow | typeof carrierRows> = [
  // Organization, keys, tokens
  ['GET',    '/api/v1/organization',                                       organizations.getOrganization,                      'viewer'],
  ['PATCH',  '/api/v1/organization',                                       organizations.updateOrganization,                   'admin'],
  ['POST',   '/api/v1/auth/token',                                         organizations.createAccessToken,                    'viewer'],
  ['POST',   '/api/v1/auth/login',                                         logIn.logIn,                                        'public'],
  ['GET',    '/api/v1/api-keys',                                           organizations.listApiKeys,                          'admin'],
  ['POST',   '/api/v1/api-keys',                                           organizations.createApiKey,                         'admin'],
  ['DELETE', '/api/v1/api-keys/{id}',                                      organizations.revokeApiKey,                         'admin'],
  ['POST',   '/api/v1/api-keys/{id}/rotate',                               organizations.rotateApiKey,                         'admin'],

  // Sessions and people
  ['POST',   '/api/v1/auth/setup',                                         sessions.setUp,                                     'public'],
  ['POST',   '/api/v1/auth/invitation',                                    sessions.readInvitation,                            'public'],
  ['POST',   '/api/v1/session',                                            sessions.createSession,                             'public'],
  ['GET',    '/api/v1/session',                                            sessions.getSession,                                'public'],
  ['DELETE', '/api/v1/session',                                            sessions.deleteSession,                             'viewer', 'session'],
  ['GET',    '/api/v1/sessions',                                           sessions.listSessions,                              'viewer', 'session'],
  ['DELETE', '/api/v1/sessions/{id}',                                      sessions.endSession,                                'viewer', 'session'],
  ['POST',   '/api/v1/session/password',                                   sessions.changePassword,                            'viewer', 'session'],
  ['GET',    '/api/v1/users',                                              people.listUsers,                                   'admin'],
  ['POST',   '/api/v1/users',                                              people.createUser,                                  'admin'],
  ['PATCH',  '/api/v1/users/{id}',                                         people.updateUser,                                  'admin'],
  ['DELETE', '/api/v1/users/{id}',                                         people.deleteUser,                                  'admin'],
  ['POST',   '/api/v1/users/{id}/link',                                    people.createUserLink,                              'admin'],

  // Models and voices
  ['GET',    '/api/v1/available-llm-models/with-voices',                   catalog.listModelsWithVoices,                       'viewer'],

  // Knowledge bases
  ['GET',    '/api/v1/rag/knowledgebases',                                 knowledge.listKnowledgeBases,                       'viewer'],
  ['POST',   '/api/v1/rag/knowledgebases',                                 knowledge.createKnowledgeBase,                      'member'],
  ['GET',    '/api/v1/rag/knowledge-base/{kb_id}',                         knowledge.getKnowledgeBase,                         'viewer'],
  ['PATCH',  '/api/v1/rag/knowledge-base/{kb_id}',                         knowledge.updateKnowledgeBase,                      'member'],
  ['DELETE', '/api/v1/rag/knowledge-base/{kb_id}',                         knowledge.deleteKnowledgeBase,                      'member'],
  ['POST',   '/api/v1/rag/knowledge-base/{kb_id}/query',                   knowledge.queryKnowledgeBase,                       'viewer'],
  ['POST',   '/api/v1/rag/knowledge-base/{kb_id}/add-sources',             sources.addKnowledgeSources,                        'member'],
  ['GET',    '/api/v1/rag/knowledge-base/{kb_id}/sources',                 sources.listKnowledgeSources,                       'viewer'],
  ['POST',   '/api/v1/rag/knowledge-base/{kb_id}/sources/{source_id}/refresh', sources.refreshKnowledgeSource,                 'member'],
  ['DELETE', '/api/v1/rag/knowledge-base/{kb_id}/sources/{source_id}',     sources.deleteKnowledgeSource,                      'member'],
  ['POST',   '/api/v1/rag/document',                                       documents.upsertKnowledgeDocument,                  'member'],
  ['GET',    '/api/v1/rag/document',                                       documents.getKnowledgeDocument,                     'viewer'],
  ['GET',    '/api/v1/rag/documents',                                      documents.listKnowledgeDocuments,                   'viewer'],
  ['DELETE', '/api/v1/rag/document',                                       documents.deleteKnowledgeDocument,                  'member'],

  // Agents
  ['POST',   '/api/v1/agents/',                                            agents.createAgent,                                 'member'],
  ['GET',    '/api/v1/agents/',                                            agents.listAgents,                                  'viewer'],
  ['GET',    '/api/v1/agents/{agent_id}',                                  agents.getAgent,                                    'viewer'],
  ['PUT',    '/api/v1/agents/{agent_id}',                                  agents.updateAgent,                                 'member'],
  ['DELETE', '/api/v1/agents/{agent_id}',                                  agents.deleteAgent,                                 'member'],
  ['GET',    '/api/v1/agents/{agent_id}/editions',                         editions.listAgentEditions,                         'viewer'],
  ['GET',    '/api/v1/agents/{agent_id}/editions/{edition}',               editions.getAgentEdition,                           'viewer'],
  ['GET',    '/api/v1/agents/{agent_id}/editions/{edition}/diff',          editions.diffAgentEditions,                         'viewer'],
  ['POST',   '/api/v1/agents/{agent_id}/editions/{edition}/restore',       editions.restoreAgentEdition,                       'member'],

  // Contacts
  ['POST',   '/api/v1/contacts/',                                          contacts.createContact,                             'member'],
  ['GET',    '/api/v1/contacts/',                                          contacts.listContacts,                              'viewer'],
  ['GET',    '/api/v1/contacts/{id}',                                      contacts.getContact,                                'viewer'],
  ['PATCH',  '/api/v1/contacts/{id}',                                      contacts.updateContact,                             'member'],
  ['DELETE', '/api/v1/contacts/{id}',                                      contacts.deleteContact,                             'member'],
  ['PUT',    '/api/v1/contacts/{id}/do-not-call',                          contacts.optOutContact,                             'member'],
  ['DELETE', '/api/v1/contacts/{id}/do-not-call',                          contacts.liftContactOptOut,                         'member'],
  ['POST',   '/api/v1/contacts/import',                                    contactImport.importContacts,                       'member'],
  ['GET',    '/api/v1/contacts/imports/{import_id}',                       contactImport.getImport,                            'viewer'],
  ['GET',    '/api/v1/contacts/imports/{import_id}/rejected',              contactImport.downloadRejectedRows,                 'viewer'],
  ['GET',    '/api/v1/contacts/imports/{import_id}/warnings',              contactImport.downloadImportWarnings,               'viewer'],
  ['GET',    '/api/v1/contacts/export',                                    contactCsv.exportContacts,                          'viewer'],
  ['GET',    '/api/v1/contacts/{id}/notes',                                notes.listContactNotes,                             'viewer'],
  ['POST',   '/api/v1/contacts/{id}/notes',                                notes.createContactNote,                            'member'],
  ['DELETE', '/api/v1/contacts/{id}/notes/{note_id}',                      notes.deleteContactNote,                            'member'],
  ['POST',   '/api/v1/contacts/{id}/erase',                                privacy.eraseContact,                               'admin'],
  ['GET',    '/api/v1/contacts/{id}/everything',                           privacy.getEverythingOfContact,                     'admin'],
  ['GET',    '/api/v1/erasures/{id}',                                      privacy.getErasure,                                 'admin'],
  ['GET',    '/api/v1/do-not-call',                                        doNotCall.listDoNotCall,                            'viewer'],
  ['POST',   '/api/v1/do-not-call',                                        doNotCall.addDoNotCall,                             'member'],
  ['POST',   '/api/v1/do-not-call/import',                                 doNotCall.importDoNotCall,                          'member'],
  ['DELETE', '/api/v1/do-not-call/{phone}',                                doNotCall.removeDoNotCall,                          'member'],

  // Phone numbers
  ['POST',   '/api/v1/phone-numbers/import',                               numbers.importPhoneNumber,                          'member'],
  ['GET',    '/api/v1/phone-numbers',                                      numbers.listPhoneNumbers,                           'viewer'],
  ['GET',    '/api/v1/phone-numbers/import/{id}',                          numbers.getImportedPhoneNumber,                     'viewer'],
  ['PATCH',  '/api/v1/phone-numbers/{id}',                                 numbers.updatePhoneNumber,                          'member'],
  ['POST',   '/api/v1/phone-numbers/{id}/check',                              trunkCheck.checkPhoneNumber,                        'member'],
  ['GET',    '/api/v1/phone-numbers/available',                            numbers.listAvailablePhoneNumbers,                  'viewer'],
  ['POST',   '/api/v1/phone-numbers/purchase',                             numbers.purchasePhoneNumber,                        'member'],
  ['DELETE', '/api/v1/phone-numbers/{phone_number}/release/',              numbers.releasePhoneNumber,                         'member'],

  // Calls
  ['GET',    '/api/v1/calls',                                              calls.listCalls,                                    'viewer'],
  ['POST',   '/api/v1/calls',                                              calls.createCall,                                   'member'],
  ['POST',   '/api/v1/calls/hangup',                                       calls.hangUpCalls,                                  'member'],
  ['GET',    '/api/v1/calls/export',                                       callExport.exportCalls,                             'viewer'],
  ['GET',    '/api/v1/calls/{id}',                                         calls.getCall,                                      'viewer'],
  ['GET',    '/api/v1/calls/{id}/recording',                               recordings.getCallRecording,                        'viewer'],
  ['GET',    '/api/v1/calls/{id}/envelope',                                recordings.getCallEnvelope,                         'viewer'],
  ['DELETE', '/api/v1/calls/{id}/recording',                               recordings.deleteCallRecording,                     'admin'],
  ['POST',   '/api/v1/calls/{id}/hangup',                                  calls.hangUpCall,                                   'member'],
  ['POST',   '/api/v1/calls/{id}/dtmf',                                       inCall.sendCallDigits,                              'member'],
  ['POST',   '/api/v1/calls/{id}/say',                                        inCall.sayInCall,                                   'member'],
  ['POST',   '/api/v1/calls/{id}/transfer',                                   inCall.transferCall,                                'member'],
  ['GET',    '/api/v1/calls/{id}/timeline',                                   inCall.getCallTimeline,                             'viewer'],
  ['GET',    '/api/v1/calls/{id}/turns',                                   inCall.getCallTurns,                                'viewer'],
  ['POST',   '/api/v1/calls/{id}/replay',                                  conversations.replayCall,                           'member'],
  ['POST',   '/api/v1/agents/{id}/conversations',                          conversations.createConversation,                   'member'],
  ['GET',    '/api/v1/agents/{id}/conversations/{cid}',                    conversations.getConversation,                      'viewer'],
  ['POST',   '/api/v1/agents/{id}/conversations/{cid}/turns',              conversations.createConversationTurn,               'member'],
  ['DELETE', '/api/v1/agents/{id}/conversations/{cid}',                    conversations.deleteConversation,                   'member'],
  carrierRows,
  ['GET',    '/api/v1/analytics',                                          analytics.getAnalytics,                             'viewer'],
  ['GET',    '/api/v1/calling',                                            callingStop.getCalling,                             'viewer'],
  ['POST',   '/api/v1/calling/stop',                                       callingStop.stopCalling,                            'member'],
  ['POST',   '/api/v1/calling/resume',                                     callingStop.resumeCalling,                          'member'],

  // Campaigns
  ['POST',   '/api/v1/campaigns/',                                         campaigns.createCampaign,                           'member'],
  ['GET',    '/api/v1/campaigns/',                                         campaigns.listCampaigns,                            'viewer'],
  ['GET',    '/api/v1/campaigns/outlook',                                  campaignPlans.listCampaignOutlooks,                 'viewer'],
  ['GET',    '/api/v1/campaigns/{id}',                                     campaigns.getCampaign,                              'viewer'],
  ['PATCH',  '/api/v1/campaigns/{id}/',                                    campaigns.updateCampaign,                           'member'],
  ['DELETE', '/api/v1/campaigns/{id}',                                     campaigns.deleteCampaign,                           'member'],
  ['GET',    '/api/v1/campaigns/{id}/plan',                                campaignPlans.planCampaign,                         'viewer'],
  ['POST',   '/api/v1/campaigns/{id}/redial',                              campaignResults.redialCampaign,                     'member'],
  ['GET',    '/api/v1/campaigns/{id}/results',                             campaignResults.downloadCampaignResults,            'viewer'],
  ['POST',   '/api/v1/campaigns/{id}/plan',                                campaignPlans.planUnsavedCampaign,                  'viewer'],
  ['POST',   '/api/v1/plan',                                               campaignPlans.planNewCampaign,                      'viewer'],
  ['GET',    '/api/v1/campaigns/{id}/activity',                            campaignActivity.getCampaignActivity,               'viewer'],
  ['GET',    '/api/v1/campaigns/{id}/hours',                               campaignActivity.getCampaignHours,                  'viewer'],
  ['GET',    '/api/v1/campaigns/{id}/zones',                               campaignZones.listCampaignZones,                    'viewer'],
  ['GET',    '/api/v1/campaigns/{id}/events',                              campaignHistory.listCampaignEvents,                 'viewer'],
  ['GET',    '/api/v1/campaigns/{id}/contacts/{contact_id}/why',           why.explainCampaignContact,                         'viewer'],
  ['POST',   '/api/v1/campaigns/{id}/contacts',                            campaignContacts.addCampaignContacts,               'member'],
  ['POST',   '/api/v1/campaigns/{id}/contacts/import',                     campaignImport.importCampaignContacts,              'member'],
  ['GET',    '/api/v1/campaigns/{id}/contacts',                            campaignContacts.listCampaignContacts,              'viewer'],
  ['POST',   '/api/v1/campaigns/{id}/contacts/remove',                     campaignContacts.removeCampaignContacts,            'member'],
  ['DELETE', '/api/v1/campaigns/{id}/contacts/{contact_id}',               campaignContacts.removeCampaignContact,             'member'],
  ['GET',    '/api/v1/contacts/{id}/why',                                  why.explainContact,                                 'viewer'],
  ['GET',    '/api/v1/contacts/{id}/campaigns',                            campaignContacts.listContactCampaigns,              'viewer'],

  // Calendar
  ['GET',    '/api/v1/calendar/agents/{agent_id}/status',                  calendar.getAgentCalendarStatus,                    'viewer', 'bearer'],
  ['GET',    '/api/v1/calendar/agents//status',                            calendar.getAgentCalendarStatusWithoutAgent,        'viewer', 'bearer'],
  ['POST',   '/api/v1/calendar/connect',                                   calendar.connectCalendar,                           'member'],
  ['POST',   '/api/v1/calendar/disconnect',                                calendar.disconnectCalendar,                        'member', 'bearer'],
  ['GET',    '/api/v1/calendar/status',                                    calendar.getCalendarStatus,                         'viewer', 'bearer'],
  ['GET',    '/api/v1/calendar/event-types/lookup/{platform_id}',          calendar.lookUpEventType,                           'viewer', 'bearer'],
  ['GET',    '/api/v1/calendar/slots',                                     calendar.listCalendarSlots,                         'viewer', 'bearer'],
  ['POST',   '/api/v1/calendar/bookings',                                  calendar.createCalendarBooking,                     'member', 'bearer'],

  // Webhooks
  ['GET',    '/api/v1/webhooks/endpoints',                                 webhooks.listWebhookEndpoints,                      'viewer'],
  ['POST',   '/api/v1/webhooks/endpoints/{id}/resume',                     webhooks.resumeWebhookEndpoint,                     'member'],
  ['POST',   '/api/v1/webhooks/endpoints/{id}/pause',                      webhooks.pauseWebhookEndpoint,                      'member'],
  ['POST',   '/api/v1/webhooks/endpoints/{id}/test',                       webhooks.testWebhookEndpoint,                       'member'],
  ['POST',   '/api/v1/webhooks/events',                                    webhooks.sendSampleEvent,                           'member'],
  ['POST',   '/api/v1/webhooks/endpoints/{id}/retry-failed',               webhooks.retryFailedWebhookDeliveries,              'member'],
  ['GET',    '/api/v1/webhooks/deliveries',                                webhooks.listWebhookDeliveries,                     'viewer'],
  ['POST',   '/api/v1/webhooks/deliveries/retry',                          webhooks.retryWebhookDeliveries,                    'member'],
  ['GET',    '/api/v1/webhooks/deliveries/{id}',                           webhooks.getWebhookDelivery,                        'viewer'],
  ['POST',   '/api/v1/webhooks/deliveries/{id}/retry',                     webhooks.retryWebhookDelivery,                      'member'],
  ['GET',    '/api/v1/agents/{id}/webhook-secret',                         webhooks.getWebhookSecret,                          'member'],
  ['POST',   '/api/v1/agents/{id}/webhook-secret/rotate',                  webhooks.rotateWebhookSecret,                       'member'],

  // Search, live, notices and audit log
  ['GET',    '/api/v1/views',                                              views.listViews,                                    'viewer'],
  ['POST',   '/api/v1/views',                                              views.createView,                                   'viewer'],
  ['PATCH',  '/api/v1/views/{id}',                                         views.updateView,                                   'viewer'],
  ['DELETE', '/api/v1/views/{id}',                                         views.deleteView,                                   'viewer'],
  ['GET',    '/api/v1/search',                                             finder.search,                                      'viewer'],
  ['GET',    '/api/v1/live',                                               live.watchLive,                                     'viewer'],
  ['GET',    '/api/v1/notices',                                            notifications.listNotices,                          'viewer'],
  ['POST',   '/api/v1/notices/read',                                       notifications.readNotices,                          'member'],
  ['GET',    '/api/v1/audit',                                              requests.listAuditLog,                              'admin'],
  ['GET',    '/api/v1/audit/operations',                                   requests.listAuditOperations,                       'admin'],
];

export const routesWith = (rowsOfDrivers: readonly RouteRow[]): Route[] =>
  table.flatMap((row) => (row === carrierRows ? rowsOfDrivers : [row])).map(routeOf);

/** The routes for describing the API without a running server; carrier drivers get their default settings. */
export const featureRoutes: readonly Route[] = routesWith(describedRoutesOf(carrierDrivers));
