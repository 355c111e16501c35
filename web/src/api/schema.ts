// Made by `npm run api-types` from docs/openapi.json.

export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process lives */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether requests would be served */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Prometheus metrics */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Embed texts
         * @description The order of the answers is that of the texts. Texts that this organization has sent before come from its cache; where all do, the request is not counted, and is answered even when the quota is used up.
         */
        post: operations["createEmbeddings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the served models
         * @description Each alias of a model is listed after it.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one of the served models */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The organization’s quota, and this month’s usage
         * @description `totals` are of all the organization’s keys, `key` is the share of the key that asks.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a sign-in page offers */
        get: operations["getSignInOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with e-mail and password
         * @description Attempts are bounded by address and e-mail; beyond, 429 says when to try again. A browser that has signed in as this user before has an allowance of its own.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sign-in/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The second step of a sign-in with a second factor
         * @description Codes are bounded by user, and codes of an authenticator and backup codes apart; beyond, 429 says when to try again. A browser that has signed in as this user before has an allowance of its own. 401 without a first step in the last ten minutes.
         */
        post: operations["signInWithCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sign-in/provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in with GitHub, Google or OpenID Connect
         * @description The provider sends the browser back to `/auth/callback/{provider}`, and that to `return_to`.
         */
        post: operations["signInWithProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an account, where anybody may
         * @description Closed unless the service is started with `SIGN_UP=open`: people are invited.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the session */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for a link to choose a new password */
        post: operations["forgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a new password with the token of a link
         * @description Ends all sessions of the user and all their other links. A mailed link also proves the address. An account whose address was never proved loses its links to providers and its second factor.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a link is an invitation to */
        post: operations["findInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join an organization
         * @description Signed in as the invited address: with the token alone. Without an account: with a name and a password, which makes one and signs in.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who asks
         * @description For: anyone with a key or a session.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one’s name
         * @description For: anyone who is signed in.
         */
        patch: operations["renameMe"];
        trace?: never;
    };
    "/v1/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change one’s password
         * @description Ends all other sessions and all links to choose a new password.
         *
         *     For: anyone who is signed in.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up a second factor
         * @description In force once a code is confirmed with `POST /v1/me/totp/confirm`.
         *
         *     For: anyone who is signed in.
         */
        post: operations["setUpTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the second factor with a code
         * @description For: anyone who is signed in.
         */
        post: operations["confirmTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/totp/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the second factor
         * @description For: anyone who is signed in.
         */
        post: operations["removeTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List one’s sessions
         * @description For: anyone who is signed in.
         */
        get: operations["listMySessions"];
        put?: never;
        post?: never;
        /**
         * End all of one’s other sessions
         * @description The session that makes the request stays.
         *
         *     For: anyone who is signed in.
         */
        delete: operations["endMyOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/sessions/{session_id}": {
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
         * End one of one’s sessions
         * @description The next request with it is refused, on every replica.
         *
         *     For: anyone who is signed in.
         */
        delete: operations["endMySession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All users
         * @description For: administrators.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user, and show the password this once
         * @description For: administrators.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link with which a user chooses a new password
         * @description For: administrators.
         */
        post: operations["createResetLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user
         * @description For: administrators.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Delete a user
         * @description Deletes the account with its sessions, memberships and sent invitations. API keys stay with the organization, unless `revoke_keys` is `true`. The only administrator who can sign in can’t be deleted, nor can the last owner of an organization.
         *
         *     For: administrators.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Disable, enable, promote or demote a user
         * @description A disabled user can’t sign in by any way. Their sessions, reset links and the invitations that they have sent end at once. Their memberships and API keys stay, unless `revoke_keys` is `true`. The only administrator who can sign in can be neither disabled nor demoted.
         *
         *     For: administrators.
         */
        patch: operations["changeUser"];
        trace?: never;
    };
    "/v1/users/{user_id}/sessions": {
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
         * End all sessions of a user
         * @description For: administrators.
         */
        delete: operations["endUserSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tiers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tiers
         * @description What organizations can be entitled to.
         *
         *     For: anyone with a key or a session.
         */
        get: operations["listTiers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The organizations that the caller belongs to
         * @description For: anyone with a key or a session.
         */
        get: operations["listOrganizations"];
        put?: never;
        /**
         * Create an organization
         * @description The user who creates it is its first owner.
         *
         *     For: administrators.
         */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An organization and its quota
         * @description For: API keys of the organization, viewers, members, admins, owners, administrators.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        /**
         * Delete an organization, with its keys and all that is known of its usage
         * @description Permanent. Its keys are refused from the next request on. Its usage can no longer be read, and is deleted soon afterwards.
         *
         *     For: owners, administrators.
         */
        delete: operations["deleteOrganization"];
        options?: never;
        head?: never;
        /**
         * Rename an organization
         * @description For: admins, owners, administrators.
         */
        patch: operations["renameOrganization"];
        trace?: never;
    };
    "/v1/organizations/{org_id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the caller may do in an organization
         * @description For: API keys of the organization, viewers, members, admins, owners, administrators.
         */
        get: operations["getAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/tier": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the tier, or agree on a custom limit
         * @description Holds from the next request on; what was used stays used.
         *
         *     For: administrators.
         */
        put: operations["setTier"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The keys of an organization, newest first
         * @description For: API keys of the organization, viewers, members, admins, owners, administrators.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key, and show its secret this once
         * @description For: members, admins, owners, administrators.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a key permanently, from the next request on
         * @description A key can revoke itself. Members can revoke their own keys; admins can revoke any key.
         *
         *     Keys that the key has made by rotating itself are revoked with it, and so are those that these have made. A key that a person has made by rotating it stays valid.
         *
         *     For: API keys of the organization, members, admins, owners, administrators.
         */
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a key in place of another, which stays valid for a while
         * @description A key can rotate itself. Members can rotate their own keys; admins can rotate any key.
         *
         *     The new key lives as long as the old one was created to live. When a key rotates itself, the new key expires when the old one would have, and is revoked when the old one is revoked.
         *
         *     A key has one successor at a time: while that is valid, rotate the successor instead. A key can rotate itself once.
         *
         *     For: API keys of the organization, members, admins, owners, administrators.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The members of an organization
         * @description For: viewers, members, admins, owners, administrators.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/members/{user_id}": {
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
         * Remove a member, or leave
         * @description Everybody may leave; to remove others takes an admin, and for owners an owner. The last owner stays. The API keys that a member has made stay valid: they are the organization’s.
         *
         *     For: viewers, members, admins, owners, administrators.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member’s role
         * @description Only owners make owners, and change them. The last owner stays one.
         *
         *     For: admins, owners, administrators.
         */
        patch: operations["setMemberRole"];
        trace?: never;
    };
    "/v1/organizations/{org_id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Invitations that are not accepted yet
         * @description For: viewers, members, admins, owners, administrators.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a person by email address
         * @description The service mails the link where it can send mail, and shows it to nobody else; otherwise the response has the link to hand over. It is valid for 7 days and one person, as long as who sent it may invite. Only owners invite owners. Invitations are bounded by organization and by address; beyond, 429 says when to try again.
         *
         *     For: admins, owners, administrators.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/invitations/{invitation_id}": {
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
         * Take an invitation back
         * @description For: admins, owners, administrators.
         */
        delete: operations["deleteInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an organization used, by time and by key
         * @description For: API keys of the organization, viewers, members, admins, owners, administrators.
         */
        get: operations["getUsageReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/usage/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Each key’s each day, as CSV or JSON
         * @description For: API keys of the organization, viewers, members, admins, owners, administrators.
         */
        get: operations["exportUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an organization was told about its quota
         * @description Each threshold is raised once a month, or once a day where the limit is a day’s. Shorter windows raise none.
         *
         *     For: API keys of the organization, viewers, members, admins, owners, administrators.
         */
        get: operations["listAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/alerts/{alert_id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that an alert has been seen
         * @description Acknowledges the alert for everyone in the organization. The first person to acknowledge it stays named.
         *
         *     For: API keys of the organization, members, admins, owners, administrators.
         */
        post: operations["acknowledgeAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/alerts/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an organization is told of
         * @description For: API keys of the organization, viewers, members, admins, owners, administrators.
         */
        get: operations["getAlertSettings"];
        /**
         * Change what an organization is told of
         * @description A threshold that is reached already is raised within a minute. What was raised stays as it is.
         *
         *     For: admins, owners, administrators.
         */
        put: operations["setAlertSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/alerts/targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where alerts are sent
         * @description For: members, admins, owners, administrators.
         */
        get: operations["listAlertTargets"];
        put?: never;
        /**
         * Have alerts sent to an e-mail address or a webhook
         * @description Webhooks are signed as [Standard Webhooks](https://www.standardwebhooks.com) has it. No redirect is followed, and no request goes to a private address unless the service’s operator allows it.
         *
         *     For: admins, owners, administrators.
         */
        post: operations["createAlertTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/alerts/targets/{target_id}": {
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
         * Send no more alerts there
         * @description What waits to be sent there is dropped, and its deliveries are forgotten.
         *
         *     For: admins, owners, administrators.
         */
        delete: operations["deleteAlertTarget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/alerts/targets/{target_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message that says that it is a test
         * @description For: admins, owners, administrators.
         */
        post: operations["testAlertTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/alerts/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was sent, and how that went
         * @description For: members, admins, owners, administrators.
         */
        get: operations["listAlertDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/alerts/deliveries/{delivery_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the same message to the same target once more
         * @description A delivery of its own, with the message’s own id: a receiver can know it again.
         *
         *     For: admins, owners, administrators.
         */
        post: operations["resendAlertDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Embed texts with a session
         * @description As `POST /v1/embeddings`, and counted as that. The order of the answers is that of the texts. Texts that this organization has sent before come from its cache; where all do, the request is not counted, and is answered even when the quota is used up.
         *
         *     For: API keys of the organization, members, admins, owners, administrators.
         */
        post: operations["createOwnEmbeddings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description With a session, the token alone. */
        AcceptInvitationRequest: {
            token: string;
            /** @description Of a new account. */
            name?: string;
            /** @description 10 to 128 characters. */
            password?: string;
        };
        AcceptedInvitation: {
            /** Format: uuid */
            org_id: string;
            /**
             * @description Each may do all that the ones before it may: viewer, member, admin, owner.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
        };
        Access: {
            /**
             * @description What the caller is to it. An administrator of the installation may do everything in each.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner" | "key" | "administrator";
            /** @description What the caller may do there, such as `keys.create`: for pages that offer no more than that. */
            may: string[];
        };
        Alert: {
            /** Format: uuid */
            alert_id: string;
            /** Format: uuid */
            org_id: string;
            /**
             * @description `threshold`: that much of the quota was used. `projection`: at the pace of the last days it ends before its reset.
             * @enum {string}
             */
            kind: "threshold" | "projection";
            threshold: number | null;
            /**
             * @description The calendar window, in UTC.
             * @enum {string}
             */
            window: "second" | "minute" | "hour" | "day" | "month";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            window_start: string;
            /** @description Whether that window has not passed. */
            is_current: boolean;
            /** @description As it was when the alert was raised. */
            limit: number;
            /** @description The same. */
            used: number;
            exhausts_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            raised_at: string;
            acknowledged_at: string | null;
            acknowledged_by: string | null;
        };
        AlertDelivery: {
            /** Format: uuid */
            delivery_id: string;
            /**
             * Format: uuid
             * @description The `webhook-id` of the message: the same however often it is sent.
             */
            message_id: string;
            /** Format: uuid */
            target_id: string;
            alert_id: string | null;
            /** @enum {string} */
            type: "quota.threshold_reached" | "quota.exhaustion_projected" | "test";
            /**
             * @description `pending`: not sent yet, or to be tried again. `failed`: given up.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            attempts: number;
            next_attempt_at: string | null;
            last_attempt_at: string | null;
            last_outcome: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            message: components["schemas"]["Notice"];
        };
        AlertDeliveryList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["AlertDelivery"][];
        };
        AlertList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Alert"][];
        };
        AlertSettings: {
            /** @description Percents of the limit; none: no alert of this kind. */
            thresholds: number[];
            /** @description Whether to tell that the quota will end before its reset. */
            projection: boolean;
        };
        AlertTarget: {
            /** Format: uuid */
            target_id: string;
            /** Format: uuid */
            org_id: string;
            /** @enum {string} */
            kind: "email" | "webhook";
            /** @description An e-mail address, or a URL. */
            address: string;
            /**
             * Format: uuid
             * @description The user’s identifier.
             */
            created_by: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
        };
        AlertTargetList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["AlertTarget"][];
        };
        ChangePasswordRequest: {
            current_password: string;
            /** @description 10 to 128 characters. */
            new_password: string;
        };
        ChangeUserRequest: {
            /** @description Whether the user administers the installation. Default: as it is. */
            is_admin?: boolean;
            /** @description `true` ends the sessions of the user at once. Default: as it is. */
            disabled?: boolean;
            /**
             * @description With `"disabled": true`: also revoke the API keys that belong to the user, in every organization.
             * @default false
             */
            revoke_keys?: boolean;
        };
        CodeRequest: {
            code: string;
        };
        CreateAlertTargetRequest: {
            /** @enum {string} */
            kind: "email" | "webhook";
            /** @description An e-mail address, or an http or https URL. */
            address: string;
        };
        CreateKeyRequest: {
            /** @description What it is for: 1 to 200 characters. */
            name: string;
            expires_in_days?: number | null;
        };
        CreateOrganizationRequest: {
            name: string;
            /** @description The name of a tier: `GET /v1/tiers` lists them. */
            tier?: string;
            limit?: number | null;
            /**
             * @description The calendar window that the custom limit is for.
             * @default month
             * @enum {string}
             */
            window?: "second" | "minute" | "hour" | "day" | "month";
        };
        CreateUserRequest: {
            /** @description An e-mail address. */
            email: string;
            /** @description Default: what stands before the @. */
            name?: string;
            /** @default false */
            is_admin?: boolean;
        };
        CreatedAlertTarget: {
            /** Format: uuid */
            target_id: string;
            /** Format: uuid */
            org_id: string;
            /** @enum {string} */
            kind: "email" | "webhook";
            /** @description An e-mail address, or a URL. */
            address: string;
            /**
             * Format: uuid
             * @description The user’s identifier.
             */
            created_by: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            secret: string | null;
        };
        CreatedInvitation: {
            /** Format: uuid */
            invitation_id: string;
            /** Format: uuid */
            org_id: string;
            email: string;
            /**
             * @description Each may do all that the ones before it may: viewer, member, admin, owner.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
            /** @description Whether the link was sent to the address. */
            mailed: boolean;
            /**
             * Format: uuid
             * @description The user’s identifier.
             */
            invited_by: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
            url: string | null;
        };
        CreatedKey: {
            /** Format: uuid */
            key_id: string;
            /** Format: uuid */
            org_id: string;
            user_id: string;
            name: string;
            /** @enum {string} */
            status: "active";
            /** @description The secret: `sk_` and 64 hexadecimal characters. Shown this once. */
            key: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
        };
        CreatedUser: {
            /** Format: uuid */
            user_id: string;
            email: string;
            name: string;
            /** @description Whether the user administers the installation. */
            is_admin: boolean;
            uses_totp: boolean;
            /** @description Whether the user is kept from signing in. */
            disabled: boolean;
            /** @description How many organizations the user is a member of. */
            organization_count: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @description Shown this once. */
            password: string;
        };
        Embedding: {
            /** @enum {string} */
            object: "embedding";
            /** @description The text’s place in `input`. */
            index: number;
            /** @description A unit vector. */
            embedding: number[] | string;
        };
        /** @description Unknown fields are ignored. */
        EmbeddingsRequest: {
            /** @description One text, or 1 to 2048, none of them empty. Token arrays are refused. */
            input: string | string[];
            /** @description A served model’s name, as `GET /v1/models` tells it; any other is an error. Without it, the first of them. */
            model?: string;
            /**
             * @description `base64`: the vector’s bytes, little-endian float32.
             * @default float
             * @enum {string}
             */
            encoding_format?: "float" | "base64";
            /** @description Cut to this many dimensions, then normalised again. At most the model’s own. */
            dimensions?: number;
            /** @description Accepted for compatibility, and not kept. */
            user?: string;
            /**
             * @description For models with prompts; the built-in model has none.
             * @default document
             * @enum {string}
             */
            input_type?: "query" | "document";
            /**
             * @description `false`: a text over the model’s limit is an error, not cut.
             * @default true
             */
            truncate?: boolean;
        };
        EmbeddingsResponse: {
            /** @enum {string} */
            object: "list";
            /** @description One for each text, in order. */
            data: components["schemas"]["Embedding"][];
            /** @description The model that made the vectors. */
            model: string;
            usage: components["schemas"]["TokenUsage"];
            /** @description True exactly when nothing was computed for this request; it was then not counted. */
            cached: boolean;
        };
        EndedSessions: {
            /** @description How many sessions ended. */
            ended: number;
        };
        Error: {
            /**
             * @description Which error: for programs.
             * @enum {string}
             */
            error: "invalid_request" | "invalid_api_key" | "not_signed_in" | "invalid_credentials" | "forbidden" | "not_found" | "method_not_allowed" | "request_timeout" | "payload_too_large" | "unsupported_media_type" | "headers_too_large" | "rate_limit_exceeded" | "internal_error" | "overloaded" | "unavailable";
            /** @description What is wrong, and what to do: for people. Its words may change. */
            message: string;
        };
        ForgotPassword: {
            /** @enum {string} */
            status: "sent" | "ask_administrator";
        };
        ForgotPasswordRequest: {
            /** @description An e-mail address. */
            email: string;
        };
        FoundInvitation: {
            /** Format: uuid */
            org_id: string;
            /** @description Its name. */
            organization: string;
            email: string;
            /**
             * @description Each may do all that the ones before it may: viewer, member, admin, owner.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
            /** @description `true`: sign in as this address, then accept. `false`: accept with a name and a password. */
            has_account: boolean;
        };
        Health: {
            /** @enum {string} */
            status: "ok";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            time: string;
            version: string;
        };
        Invitation: {
            /** Format: uuid */
            invitation_id: string;
            /** Format: uuid */
            org_id: string;
            email: string;
            /**
             * @description Each may do all that the ones before it may: viewer, member, admin, owner.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
            /** @description Whether the link was sent to the address. */
            mailed: boolean;
            /**
             * Format: uuid
             * @description The user’s identifier.
             */
            invited_by: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
        };
        InvitationList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Invitation"][];
        };
        InvitationRequest: {
            /** @description An e-mail address. */
            email: string;
            /**
             * @description Each may do all that the ones before it may: viewer, member, admin, owner.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
        };
        /** @description The token is what the link holds behind `#token=`. */
        InvitationTokenRequest: {
            token: string;
        };
        /** @description An API key, without its secret. */
        Key: {
            /** Format: uuid */
            key_id: string;
            /** Format: uuid */
            org_id: string;
            /** @description The user whom the key belongs to. */
            user_id: string;
            user_name: string | null;
            /** @description What it is for. */
            name: string;
            /**
             * @description `revoked` is final.
             * @enum {string}
             */
            status: "active" | "revoked";
            /** @description `sk_…` and the last four characters. */
            hint: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
            revoked_at: string | null;
            rotated_from: string | null;
        };
        KeyList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Key"][];
        };
        KeyShare: {
            /**
             * Format: uuid
             * @description A key, even if it was revoked; or a user, for what they embedded with a session.
             */
            key_id: string;
            name: string | null;
            hint: string | null;
            status: ("active" | "revoked") | null;
            /** @description Requests that the quota was charged for. */
            counted: number;
            /** @description Requests answered without computing, not counted. */
            cached: number;
            /** @description Requests that failed or were refused, not counted. */
            failed: number;
            /** @description Texts in the answered requests. */
            texts: number;
            /** @description Tokens in the answered requests. */
            tokens: number;
            share: number | null;
            trend: number | null;
        };
        /** @description This key’s own share of the month. */
        KeyUsage: {
            /** Format: uuid */
            key_id: string;
            /** @description Requests that the quota was charged for. */
            counted: number;
            /** @description Requests answered without computing, not counted. */
            cached: number;
            /** @description Requests that failed or were refused, not counted. */
            failed: number;
            /** @description Texts in the answered requests. */
            texts: number;
            /** @description Tokens in the answered requests. */
            tokens: number;
        };
        ListedOrganization: {
            /** Format: uuid */
            org_id: string;
            name: string;
            /** @description The name of a tier: `GET /v1/tiers` lists them. */
            tier: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            quota: components["schemas"]["Quota"];
            /**
             * @description What the caller is to it. An administrator of the installation may do everything in each.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner" | "key" | "administrator";
            /** @description What the caller may do there, such as `keys.create`: for pages that offer no more than that. */
            may: string[];
        };
        /** @description With an API key. */
        MeKey: {
            /** @enum {string} */
            object: "key";
            /** Format: uuid */
            key_id: string;
            /** Format: uuid */
            org_id: string;
        };
        /** @description With a session. */
        MeUser: {
            /** @enum {string} */
            object: "user";
            /** Format: uuid */
            user_id: string;
            email: string;
            name: string;
            /** @description Whether the user administers the installation. */
            is_admin: boolean;
            uses_totp: boolean;
        };
        Member: {
            /** Format: uuid */
            user_id: string;
            email: string;
            name: string;
            /**
             * @description Each may do all that the ones before it may: viewer, member, admin, owner.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            joined_at: string;
        };
        MemberList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Member"][];
        };
        Model: {
            /** @description A name that requests can use. */
            id: string;
            /** @enum {string} */
            object: "model";
            /** @description When this service started, in seconds since the Unix epoch. */
            created: number;
            owned_by: string;
            /** @description The size of its vectors. */
            dimensions: number;
            /** @description Tokens of one text that it reads. */
            max_input_tokens: number;
            /** @description The model’s own name, which responses carry; absent where `id` is that name. */
            alias_of?: string;
            /** @description Sizes that it was trained to be cut to, for `dimensions`; absent where it states none. */
            matryoshka_dimensions?: number[];
        };
        ModelList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Model"][];
        };
        /** @description What is sent: the body of a webhook. */
        Notice: {
            /** @enum {string} */
            type: "quota.threshold_reached" | "quota.exhaustion_projected" | "test";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            timestamp: string;
            /** @description More fields may come. */
            data: {
                /** Format: uuid */
                org_id: string;
                /** Format: uuid */
                alert_id?: string;
                /** @description As it was when the alert was raised. */
                limit?: number;
                /** @description The same. */
                used?: number;
                window?: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                window_start?: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                resets_at?: string;
                /** @description Percent; of a threshold alone. */
                threshold?: number;
                /**
                 * Format: date-time
                 * @description Of a projection alone.
                 */
                exhausts_at?: string;
                /** @description Of a test alone. */
                message?: string;
            };
        };
        /** @description The same error in the shape of OpenAI’s API. */
        OpenAIError: {
            error: {
                message: string;
                /** @description The kind of error, in OpenAI’s words. */
                type: string;
                param: string | null;
                /** @enum {string} */
                code: "invalid_request" | "invalid_api_key" | "not_signed_in" | "invalid_credentials" | "forbidden" | "not_found" | "method_not_allowed" | "request_timeout" | "payload_too_large" | "unsupported_media_type" | "headers_too_large" | "rate_limit_exceeded" | "internal_error" | "overloaded" | "unavailable";
            };
        };
        Organization: {
            /** Format: uuid */
            org_id: string;
            name: string;
            /** @description The name of a tier: `GET /v1/tiers` lists them. */
            tier: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            quota: components["schemas"]["Quota"];
        };
        OrganizationList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["ListedOrganization"][];
        };
        PasswordRequest: {
            password: string;
        };
        /** @description Where the quota is heading, and how that was reckoned. */
        Projection: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            from: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            to: string;
            /** @description Requests counted between `from` and `to`. */
            counted: number;
            /** @description The pace that this is, which is taken to go on. */
            per_day: number;
            /** @description What would be counted by the reset. */
            used_at_reset: number;
            exhausts_at: string | null;
            /** @description The same in words. */
            explanation: string;
        };
        ProviderSignIn: {
            /** @description Where to send the browser. */
            url: string;
        };
        ProviderSignInRequest: {
            /** @enum {string} */
            provider: "github" | "google" | "oidc";
            /**
             * @description The page to come back to, as a path.
             * @default /organizations
             */
            return_to?: string;
        };
        Quota: {
            limit: number | null;
            /** @description Requests counted in this window. */
            used: number;
            remaining: number | null;
            /**
             * @description A calendar window, in UTC.
             * @enum {string}
             */
            window: "second" | "minute" | "hour" | "day" | "month";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            resets_at: string;
        };
        Readiness: {
            /** @enum {string} */
            status: "ready" | "not_ready";
            /** @description What is not ready. */
            not_ready: string[];
        };
        RenameOrganizationRequest: {
            /** @description 1 to 200 characters. */
            name: string;
        };
        RenameRequest: {
            /** @description 1 to 200 characters. */
            name: string;
        };
        /** @description The old key, and until when it is valid. */
        ReplacedKey: {
            /** Format: uuid */
            key_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
        };
        ResetLink: {
            /** @description The page where a new password is chosen: hand it to the user. */
            url: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
        };
        /** @description The token is what the link holds behind `#token=`. */
        ResetPasswordRequest: {
            token: string;
            /** @description 10 to 128 characters. */
            new_password: string;
        };
        RevokedKey: {
            /** Format: uuid */
            key_id: string;
            /** Format: uuid */
            org_id: string;
            /** @description The user whom the key belongs to. */
            user_id: string;
            user_name: string | null;
            /** @description What it is for. */
            name: string;
            /**
             * @description `revoked` is final.
             * @enum {string}
             */
            status: "active" | "revoked";
            /** @description `sk_…` and the last four characters. */
            hint: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
            revoked_at: string | null;
            rotated_from: string | null;
            /** @description The keys that it had made by rotating itself and that were active until now. */
            also_revoked: string[];
        };
        RoleRequest: {
            /**
             * @description Each may do all that the ones before it may: viewer, member, admin, owner.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
        };
        RotateKeyRequest: {
            /**
             * @description How long the old key stays valid. It never outlives its own expiry.
             * @default 86400
             */
            grace_seconds?: number;
        };
        RotatedKey: {
            /** Format: uuid */
            key_id: string;
            /** Format: uuid */
            org_id: string;
            user_id: string;
            name: string;
            /** @enum {string} */
            status: "active";
            /** @description The secret: `sk_` and 64 hexadecimal characters. Shown this once. */
            key: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
            replaces: components["schemas"]["ReplacedKey"];
        };
        /** @description A browser or a program that is signed in. */
        Session: {
            /** Format: uuid */
            session_id: string;
            /** @description Whether this request was made with the session. */
            is_current: boolean;
            address: string | null;
            user_agent: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the session was renewed last. A session that is in use is renewed once a day.
             */
            renewed_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
        };
        SessionList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Session"][];
        };
        SetTierRequest: {
            /** @description The name of a tier: `GET /v1/tiers` lists them. */
            tier: string;
            limit?: number | null;
            /**
             * @description The calendar window that the custom limit is for.
             * @default month
             * @enum {string}
             */
            window?: "second" | "minute" | "hour" | "day" | "month";
        };
        SignIn: {
            /**
             * @description `totp_required`: send a code to `POST /v1/auth/sign-in/totp` within ten minutes.
             * @enum {string}
             */
            status: "signed_in" | "totp_required";
        };
        SignInOptions: {
            /** @enum {string} */
            sign_up: "closed" | "open";
            /**
             * @description How a forgotten password is replaced: by a mail, or by asking an administrator.
             * @enum {string}
             */
            password_reset: "mail" | "administrator";
            providers: components["schemas"]["SignInProvider"][];
        };
        SignInProvider: {
            id: string;
            name: string;
        };
        SignInRequest: {
            /** @description An e-mail address. */
            email: string;
            password: string;
        };
        SignUpRequest: {
            /** @description An e-mail address. */
            email: string;
            name: string;
            /** @description 10 to 128 characters. */
            password: string;
        };
        Tier: {
            name: string;
            limit: number | null;
            price: string | null;
            /** @description Whether an administrator can set another limit for an organization of this tier. */
            custom_limits: boolean;
            /** @description Whether new organizations get this tier. */
            is_default: boolean;
        };
        TierList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Tier"][];
        };
        TokenUsage: {
            /** @description Tokens of all texts, as the model read them. */
            prompt_tokens: number;
            /** @description The same. */
            total_tokens: number;
        };
        TotpSetup: {
            /** @description `otpauth://…`: to be shown as a QR code. */
            uri: string;
            /** @description Each is good for one sign-in. Shown this once. */
            backup_codes: string[];
        };
        /** @description A code of the authenticator, or one of the backup codes. */
        TotpSignInRequest: {
            code?: string;
            backup_code?: string;
            /**
             * @description Ask this browser for no code for 30 days.
             * @default false
             */
            trust_device?: boolean;
        };
        Usage: {
            /** Format: uuid */
            org_id: string;
            limit: number | null;
            /** @description Requests counted in this window. */
            used: number;
            remaining: number | null;
            /**
             * @description A calendar window, in UTC.
             * @enum {string}
             */
            window: "second" | "minute" | "hour" | "day" | "month";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            resets_at: string;
            /** @description The calendar month that the figures are of, YYYY-MM, UTC: the one that requests are counted in now. */
            month: string;
            totals: components["schemas"]["UsageTotals"];
            key: components["schemas"]["KeyUsage"];
        };
        UsageExport: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["UsageRow"][];
        };
        UsagePeriod: {
            /** @description `YYYY-MM-DD` or `YYYY-MM`, UTC. */
            period: string;
            /** @description Requests that the quota was charged for. */
            counted: number;
            /** @description Requests answered without computing, not counted. */
            cached: number;
            /** @description Requests that failed or were refused, not counted. */
            failed: number;
            /** @description Texts in the answered requests. */
            texts: number;
            /** @description Tokens in the answered requests. */
            tokens: number;
        };
        UsageReport: {
            /** Format: uuid */
            org_id: string;
            from: string;
            to: string;
            /** @enum {string} */
            by: "day" | "month";
            quota: components["schemas"]["Quota"];
            totals: components["schemas"]["UsageTotals"];
            /** @description Every day or month, those without usage as well. */
            series: components["schemas"]["UsagePeriod"][];
            /** @description The key that used most first. */
            keys: components["schemas"]["KeyShare"][];
            projection: components["schemas"]["Projection"] | null;
        };
        UsageRow: {
            day: string;
            /** Format: uuid */
            key_id: string;
            key_name: string | null;
            /** @description Requests that the quota was charged for. */
            counted: number;
            /** @description Requests answered without computing, not counted. */
            cached: number;
            /** @description Requests that failed or were refused, not counted. */
            failed: number;
            /** @description Texts in the answered requests. */
            texts: number;
            /** @description Tokens in the answered requests. */
            tokens: number;
        };
        /** @description Of all keys, in this time. */
        UsageTotals: {
            /** @description Requests that the quota was charged for. */
            counted: number;
            /** @description Requests answered without computing, not counted. */
            cached: number;
            /** @description Requests that failed or were refused, not counted. */
            failed: number;
            /** @description Texts in the answered requests. */
            texts: number;
            /** @description Tokens in the answered requests. */
            tokens: number;
        };
        User: {
            /** Format: uuid */
            user_id: string;
            email: string;
            name: string;
            /** @description Whether the user administers the installation. */
            is_admin: boolean;
            uses_totp: boolean;
            /** @description Whether the user is kept from signing in. */
            disabled: boolean;
            /** @description How many organizations the user is a member of. */
            organization_count: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
        };
        UserList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["User"][];
        };
    };
    responses: {
        /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
        InvalidRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "invalid_request",
                 *       "message": "input is missing: send a string or an array of strings"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "invalid_api_key",
                 *       "message": "Invalid API key"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description The caller is known, and may not do this; or the request came from another site’s page. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "forbidden",
                 *       "message": "The role viewer may not do this"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "not_found",
                 *       "message": "No such organization"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "request_timeout",
                 *       "message": "The request took too long to arrive"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "payload_too_large",
                 *       "message": "The body is larger than 4,096 KiB"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description The body is not sent as `application/json`. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "unsupported_media_type",
                 *       "message": "Send the body as application/json"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. Or the organization has as many requests in progress, or as large ones, as it may have at a time. On routes for people: more attempts, or more notices to be sent, than are taken at a time. Try again after `Retry-After`. */
        RateLimitExceeded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "x-should-retry": components["headers"]["x-should-retry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "rate_limit_exceeded",
                 *       "message": "Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description The request line and the headers are larger than 16 KiB. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "headers_too_large",
                 *       "message": "The request line and headers are larger than 16 KiB"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description A defect of the service. Never counted. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "internal_error",
                 *       "message": "Something went wrong on our side"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "overloaded",
                 *       "message": "Too many texts are waiting. Try again later."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
    };
    parameters: {
        /** @description The shape of errors: `openai` is that of OpenAI’s API. */
        ErrorFormat: "flat" | "openai";
        /** @description A name for this request, which comes back and stands in the log. */
        RequestId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The request’s own id where it sent one of at most 64 letters, digits, `_`, `.`, `:` and `-`; else a new one.
         * @example 5b0f7a0e-6a55-4a86-9c42-8f3f1d1c5f0e
         */
        "X-Request-Id": string;
        /**
         * @description Requests a window; 9007199254740991: unlimited.
         * @example 10000
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Requests left in this window; 9007199254740991: unlimited.
         * @example 9877
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description When the window ends and the next one begins, UTC.
         * @example 2026-12-01T00:00:00Z
         */
        "X-RateLimit-Reset": string;
        /**
         * @description draft-ietf-httpapi-ratelimit-headers: the window’s name, its quota and its seconds.
         * @example "monthly";q=10000;w=2592000
         */
        "RateLimit-Policy": string;
        /**
         * @description The same draft: what remains, and the seconds until the reset.
         * @example "monthly";r=9877;t=86400
         */
        RateLimit: string;
        /**
         * @description Seconds after which a retry makes sense.
         * @example 86400
         */
        "Retry-After": number;
        /**
         * @description How to authenticate: by a bearer token, the API key.
         * @example Bearer
         */
        "WWW-Authenticate": string;
        /**
         * @description `false` where the reset is more than a minute away: OpenAI’s SDKs then do not retry.
         * @example false
         */
        "x-should-retry": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process lives. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "time": "2026-11-01T09:30:00.000Z",
                     *       "version": "0.2.0"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Requests would be served. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready",
                     *       "not_ready": []
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description Requests would not be served now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "not_ready",
                     *       "not_ready": [
                     *         "database"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prometheus’ text format. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    createEmbeddings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Unknown fields are ignored. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmbeddingsRequest"];
            };
        };
        responses: {
            /** @description The vectors of all texts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "object": "embedding",
                     *           "index": 0,
                     *           "embedding": [
                     *             0.018542,
                     *             -0.061133,
                     *             0.032718
                     *           ]
                     *         }
                     *       ],
                     *       "model": "universal-sentence-encoder-lite",
                     *       "usage": {
                     *         "prompt_tokens": 5,
                     *         "total_tokens": 5
                     *       },
                     *       "cached": false
                     *     }
                     */
                    "application/json": components["schemas"]["EmbeddingsResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The served models; the first serves the requests that name none. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "universal-sentence-encoder-lite",
                     *           "object": "model",
                     *           "created": 1793525400,
                     *           "owned_by": "embedgate",
                     *           "dimensions": 512,
                     *           "max_input_tokens": 128
                     *         },
                     *         {
                     *           "id": "text-embedding-3-small",
                     *           "object": "model",
                     *           "created": 1793525400,
                     *           "owned_by": "embedgate",
                     *           "dimensions": 512,
                     *           "max_input_tokens": 128,
                     *           "alias_of": "universal-sentence-encoder-lite"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The name of a model, or an alias. A slash in it may be encoded as `%2F` or not. */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The model. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "universal-sentence-encoder-lite",
                     *       "object": "model",
                     *       "created": 1793525400,
                     *       "owned_by": "embedgate",
                     *       "dimensions": 512,
                     *       "max_input_tokens": 128
                     *     }
                     */
                    "application/json": components["schemas"]["Model"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization’s standing, and what this month’s requests were. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *       "limit": 10000,
                     *       "used": 123,
                     *       "remaining": 9877,
                     *       "window": "month",
                     *       "resets_at": "2026-12-01T00:00:00.000Z",
                     *       "month": "2026-11",
                     *       "totals": {
                     *         "counted": 123,
                     *         "cached": 456,
                     *         "failed": 7,
                     *         "texts": 1890,
                     *         "tokens": 24570
                     *       },
                     *       "key": {
                     *         "key_id": "01a19672-ac20-7527-8bb1-6cefd3e9e3ee",
                     *         "counted": 100,
                     *         "cached": 400,
                     *         "failed": 7,
                     *         "texts": 1500,
                     *         "tokens": 19500
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSignInOptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a sign-in page offers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sign_up": "closed",
                     *       "password_reset": "mail",
                     *       "providers": [
                     *         {
                     *           "id": "github",
                     *           "name": "GitHub"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SignInOptions"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["SignInRequest"];
            };
        };
        responses: {
            /** @description The session is in a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "signed_in"
                     *     }
                     */
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. Or the organization has as many requests in progress, or as large ones, as it may have at a time. On routes for people: more attempts, or more notices to be sent, than are taken at a time. Try again after `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limit_exceeded",
                     *       "message": "Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    signInWithCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description A code of the authenticator, or one of the backup codes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["TotpSignInRequest"];
            };
        };
        responses: {
            /** @description The session is in a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "signed_in"
                     *     }
                     */
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. Or the organization has as many requests in progress, or as large ones, as it may have at a time. On routes for people: more attempts, or more notices to be sent, than are taken at a time. Try again after `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limit_exceeded",
                     *       "message": "Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    signInWithProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "provider": "github",
                 *       "return_to": "/organizations"
                 *     }
                 */
                "application/json": components["schemas"]["ProviderSignInRequest"];
            };
        };
        responses: {
            /** @description The provider’s page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://github.com/login/oauth/authorize?client_id=…"
                     *     }
                     */
                    "application/json": components["schemas"]["ProviderSignIn"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. Or the organization has as many requests in progress, or as large ones, as it may have at a time. On routes for people: more attempts, or more notices to be sent, than are taken at a time. Try again after `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limit_exceeded",
                     *       "message": "Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "name": "Ada",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["SignUpRequest"];
            };
        };
        responses: {
            /** @description The session is in a cookie. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "signed_in"
                     *     }
                     */
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. Or the organization has as many requests in progress, or as large ones, as it may have at a time. On routes for people: more attempts, or more notices to be sent, than are taken at a time. Try again after `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limit_exceeded",
                     *       "message": "Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    forgotPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["ForgotPasswordRequest"];
            };
        };
        responses: {
            /** @description `sent`: a mail is under way if there is such a user, which this does not tell. `ask_administrator`: this service sends no mail. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "sent"
                     *     }
                     */
                    "application/json": components["schemas"]["ForgotPassword"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. Or the organization has as many requests in progress, or as large ones, as it may have at a time. On routes for people: more attempts, or more notices to be sent, than are taken at a time. Try again after `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limit_exceeded",
                     *       "message": "Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The token is what the link holds behind `#token=`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "q8s…",
                 *       "new_password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["ResetPasswordRequest"];
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. Or the organization has as many requests in progress, or as large ones, as it may have at a time. On routes for people: more attempts, or more notices to be sent, than are taken at a time. Try again after `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limit_exceeded",
                     *       "message": "Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    findInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The token is what the link holds behind `#token=`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "q8s…"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationTokenRequest"];
            };
        };
        responses: {
            /** @description What the link is an invitation to. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *       "organization": "Acme",
                     *       "email": "grace@example.com",
                     *       "role": "member",
                     *       "expires_at": "2026-11-08T09:30:00.000Z",
                     *       "has_account": false
                     *     }
                     */
                    "application/json": components["schemas"]["FoundInvitation"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. Or the organization has as many requests in progress, or as large ones, as it may have at a time. On routes for people: more attempts, or more notices to be sent, than are taken at a time. Try again after `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limit_exceeded",
                     *       "message": "Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description With a session, the token alone. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "q8s…",
                 *       "name": "Grace",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["AcceptInvitationRequest"];
            };
        };
        responses: {
            /** @description The user is a member now, and signed in. Who was one before keeps the role. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *       "role": "member"
                     *     }
                     */
                    "application/json": components["schemas"]["AcceptedInvitation"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. Or the organization has as many requests in progress, or as large ones, as it may have at a time. On routes for people: more attempts, or more notices to be sent, than are taken at a time. Try again after `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limit_exceeded",
                     *       "message": "Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who asks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeUser"] | components["schemas"]["MeKey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    renameMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada"
                 *     }
                 */
                "application/json": components["schemas"]["RenameRequest"];
            };
        };
        responses: {
            /** @description Who asks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeUser"] | components["schemas"]["MeKey"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current_password": "correct horse battery",
                 *       "new_password": "staple correct horse"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePasswordRequest"];
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. Or the organization has as many requests in progress, or as large ones, as it may have at a time. On routes for people: more attempts, or more notices to be sent, than are taken at a time. Try again after `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limit_exceeded",
                     *       "message": "Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    setUpTotp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordRequest"];
            };
        };
        responses: {
            /** @description Not in force until a code is confirmed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "uri": "otpauth://totp/Embedgate:ada%40example.com?secret=ABC&issuer=Embedgate",
                     *       "backup_codes": [
                     *         "a1b2c-d3e4f"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TotpSetup"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. Or the organization has as many requests in progress, or as large ones, as it may have at a time. On routes for people: more attempts, or more notices to be sent, than are taken at a time. Try again after `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limit_exceeded",
                     *       "message": "Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    confirmTotp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["CodeRequest"];
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. Or the organization has as many requests in progress, or as large ones, as it may have at a time. On routes for people: more attempts, or more notices to be sent, than are taken at a time. Try again after `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limit_exceeded",
                     *       "message": "Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    removeTotp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordRequest"];
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. Or the organization has as many requests in progress, or as large ones, as it may have at a time. On routes for people: more attempts, or more notices to be sent, than are taken at a time. Try again after `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limit_exceeded",
                     *       "message": "Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    listMySessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The 100 sessions that were renewed last, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "session_id": "01a19671-c1c0-7667-9783-af2c197a3393",
                     *           "is_current": true,
                     *           "address": "192.0.2.1",
                     *           "user_agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                     *           "created_at": "2026-11-01T09:30:00.000Z",
                     *           "renewed_at": "2026-11-02T10:00:00.000Z",
                     *           "expires_at": "2026-11-09T10:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    endMyOtherSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions have ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ended": 2
                     *     }
                     */
                    "application/json": components["schemas"]["EndedSessions"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    endMySession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All users, oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "user_id": "01a19671-bdd8-7439-9c26-0d844f0260bb",
                     *           "email": "ada@example.com",
                     *           "name": "Ada",
                     *           "is_admin": false,
                     *           "uses_totp": false,
                     *           "disabled": false,
                     *           "organization_count": 1,
                     *           "created_at": "2026-11-01T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UserList"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "name": "Ada"
                 *     }
                 */
                "application/json": components["schemas"]["CreateUserRequest"];
            };
        };
        responses: {
            /** @description The user, with a password that was made for the first sign-in. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "01a19671-bdd8-7439-9c26-0d844f0260bb",
                     *       "email": "ada@example.com",
                     *       "name": "Ada",
                     *       "is_admin": false,
                     *       "uses_totp": false,
                     *       "disabled": false,
                     *       "organization_count": 1,
                     *       "created_at": "2026-11-01T09:30:00.000Z",
                     *       "password": "x7k2m-pq4rs-tuv8w-yz9ab"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedUser"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    createResetLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A link for one use. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://embed.example.com/reset-password#token=q8s…",
                     *       "expires_at": "2026-11-01T10:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ResetLink"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "01a19671-bdd8-7439-9c26-0d844f0260bb",
                     *       "email": "ada@example.com",
                     *       "name": "Ada",
                     *       "is_admin": false,
                     *       "uses_totp": false,
                     *       "disabled": false,
                     *       "organization_count": 1,
                     *       "created_at": "2026-11-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: {
                /** @description `true`: also revoke the API keys that belong to the user, in every organization. */
                revoke_keys?: "true" | "false";
            };
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    changeUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "disabled": true
                 *     }
                 */
                "application/json": components["schemas"]["ChangeUserRequest"];
            };
        };
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "01a19671-bdd8-7439-9c26-0d844f0260bb",
                     *       "email": "ada@example.com",
                     *       "name": "Ada",
                     *       "is_admin": false,
                     *       "uses_totp": false,
                     *       "disabled": false,
                     *       "organization_count": 1,
                     *       "created_at": "2026-11-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    endUserSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions have ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ended": 2
                     *     }
                     */
                    "application/json": components["schemas"]["EndedSessions"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    listTiers: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tiers, in the order of the configuration. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "name": "free",
                     *           "limit": 10000,
                     *           "price": "$0",
                     *           "custom_limits": false,
                     *           "is_default": true
                     *         },
                     *         {
                     *           "name": "enterprise",
                     *           "limit": null,
                     *           "price": "custom",
                     *           "custom_limits": true,
                     *           "is_default": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TierList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOrganizations: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Those that the caller belongs to, oldest first; for an administrator all. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *           "name": "Acme",
                     *           "tier": "free",
                     *           "created_at": "2026-11-01T09:30:00.000Z",
                     *           "quota": {
                     *             "limit": 10000,
                     *             "used": 123,
                     *             "remaining": 9877,
                     *             "window": "month",
                     *             "resets_at": "2026-12-01T00:00:00.000Z"
                     *           },
                     *           "role": "owner",
                     *           "may": [
                     *             "keys.create"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OrganizationList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme",
                 *       "tier": "pro"
                 *     }
                 */
                "application/json": components["schemas"]["CreateOrganizationRequest"];
            };
        };
        responses: {
            /** @description The organization, and where it stands against its limit. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *       "name": "Acme",
                     *       "tier": "free",
                     *       "created_at": "2026-11-01T09:30:00.000Z",
                     *       "quota": {
                     *         "limit": 10000,
                     *         "used": 123,
                     *         "remaining": 9877,
                     *         "window": "month",
                     *         "resets_at": "2026-12-01T00:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization, and where it stands against its limit. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *       "name": "Acme",
                     *       "tier": "free",
                     *       "created_at": "2026-11-01T09:30:00.000Z",
                     *       "quota": {
                     *         "limit": 10000,
                     *         "used": 123,
                     *         "remaining": 9877,
                     *         "window": "month",
                     *         "resets_at": "2026-12-01T00:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    renameOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme"
                 *     }
                 */
                "application/json": components["schemas"]["RenameOrganizationRequest"];
            };
        };
        responses: {
            /** @description The organization, and where it stands against its limit. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *       "name": "Acme",
                     *       "tier": "free",
                     *       "created_at": "2026-11-01T09:30:00.000Z",
                     *       "quota": {
                     *         "limit": 10000,
                     *         "used": 123,
                     *         "remaining": 9877,
                     *         "window": "month",
                     *         "resets_at": "2026-12-01T00:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    getAccess: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the caller is to the organization, and may do there. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "role": "viewer",
                     *       "may": [
                     *         "organization.read",
                     *         "keys.read",
                     *         "usage.read"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Access"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setTier: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetTierRequest"];
            };
        };
        responses: {
            /** @description The organization, and where it stands against its limit. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *       "name": "Acme",
                     *       "tier": "free",
                     *       "created_at": "2026-11-01T09:30:00.000Z",
                     *       "quota": {
                     *         "limit": 10000,
                     *         "used": 123,
                     *         "remaining": 9877,
                     *         "window": "month",
                     *         "resets_at": "2026-12-01T00:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All keys of the organization, newest first, the revoked ones as well. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "key_id": "01a19672-ac20-7527-8bb1-6cefd3e9e3ee",
                     *           "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *           "user_id": "ada",
                     *           "user_name": "Ada",
                     *           "name": "laptop",
                     *           "status": "active",
                     *           "hint": "sk_…9f3c",
                     *           "created_at": "2026-11-01T09:31:00.000Z",
                     *           "last_used_at": null,
                     *           "expires_at": "2027-11-01T09:31:00.000Z",
                     *           "revoked_at": null,
                     *           "rotated_from": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "laptop",
                 *       "expires_in_days": 90
                 *     }
                 */
                "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        responses: {
            /** @description The key, with its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key_id": "01a19672-ac20-7527-8bb1-6cefd3e9e3ee",
                     *       "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *       "user_id": "01a19671-bdd8-7439-9c26-0d844f0260bb",
                     *       "name": "laptop",
                     *       "status": "active",
                     *       "key": "sk_…",
                     *       "expires_at": "2027-02-01T09:31:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key_id": "01a19672-ac20-7527-8bb1-6cefd3e9e3ee",
                     *       "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *       "user_id": "ada",
                     *       "user_name": "Ada",
                     *       "name": "laptop",
                     *       "status": "revoked",
                     *       "hint": "sk_…9f3c",
                     *       "created_at": "2026-11-01T09:31:00.000Z",
                     *       "last_used_at": null,
                     *       "expires_at": "2027-11-01T09:31:00.000Z",
                     *       "revoked_at": "2026-11-02T08:00:00.000Z",
                     *       "rotated_from": null,
                     *       "also_revoked": []
                     *     }
                     */
                    "application/json": components["schemas"]["RevokedKey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grace_seconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["RotateKeyRequest"];
            };
        };
        responses: {
            /** @description The new key, with its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key_id": "01a19672-ac20-7527-8bb1-6cefd3e9e3ee",
                     *       "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *       "user_id": "01a19671-bdd8-7439-9c26-0d844f0260bb",
                     *       "name": "laptop",
                     *       "status": "active",
                     *       "key": "sk_…",
                     *       "expires_at": "2027-02-01T09:31:00.000Z",
                     *       "replaces": {
                     *         "key_id": "01a19671-d748-7502-99d6-38e65d15886d",
                     *         "expires_at": "2026-11-02T09:31:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RotatedKey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All members, oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "user_id": "01a19671-bdd8-7439-9c26-0d844f0260bb",
                     *           "email": "ada@example.com",
                     *           "name": "Ada",
                     *           "role": "owner",
                     *           "joined_at": "2026-11-01T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    setMemberRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "admin"
                 *     }
                 */
                "application/json": components["schemas"]["RoleRequest"];
            };
        };
        responses: {
            /** @description The updated member. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "01a19671-bdd8-7439-9c26-0d844f0260bb",
                     *       "email": "ada@example.com",
                     *       "name": "Ada",
                     *       "role": "owner",
                     *       "joined_at": "2026-11-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Those not yet accepted, newest first, the expired ones as well. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "invitation_id": "01a19671-c1c0-7667-9783-af2c197a3393",
                     *           "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *           "email": "grace@example.com",
                     *           "role": "member",
                     *           "mailed": false,
                     *           "invited_by": "01a19671-bdd8-7439-9c26-0d844f0260bb",
                     *           "created_at": "2026-11-01T09:30:00.000Z",
                     *           "expires_at": "2026-11-08T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "grace@example.com",
                 *       "role": "member"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationRequest"];
            };
        };
        responses: {
            /** @description The invitation, in place of an earlier one to the same address. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invitation_id": "01a19671-c1c0-7667-9783-af2c197a3393",
                     *       "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *       "email": "grace@example.com",
                     *       "role": "member",
                     *       "mailed": false,
                     *       "invited_by": "01a19671-bdd8-7439-9c26-0d844f0260bb",
                     *       "created_at": "2026-11-01T09:30:00.000Z",
                     *       "expires_at": "2026-11-08T09:30:00.000Z",
                     *       "url": "https://embed.example.com/invite#token=q8s…"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedInvitation"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. Or the organization has as many requests in progress, or as large ones, as it may have at a time. On routes for people: more attempts, or more notices to be sent, than are taken at a time. Try again after `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limit_exceeded",
                     *       "message": "Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    deleteInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    getUsageReport: {
        parameters: {
            query?: {
                /** @description The first day, UTC. Default: the first of the month of `to`. */
                from?: string;
                /** @description The last day, UTC, itself included. Default: today. */
                to?: string;
                /** @description One key alone. */
                key_id?: string;
                by?: "day" | "month";
            };
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was used; `projection` is null where there is too little to go by. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *       "from": "2026-11-20",
                     *       "to": "2026-11-20",
                     *       "by": "day",
                     *       "quota": {
                     *         "limit": 10000,
                     *         "used": 8400,
                     *         "remaining": 1600,
                     *         "window": "month",
                     *         "resets_at": "2026-12-01T00:00:00.000Z"
                     *       },
                     *       "totals": {
                     *         "counted": 70,
                     *         "cached": 21,
                     *         "failed": 1,
                     *         "texts": 340,
                     *         "tokens": 4420
                     *       },
                     *       "series": [
                     *         {
                     *           "period": "2026-11-20",
                     *           "counted": 70,
                     *           "cached": 21,
                     *           "failed": 1,
                     *           "texts": 340,
                     *           "tokens": 4420
                     *         }
                     *       ],
                     *       "keys": [
                     *         {
                     *           "key_id": "01a19672-ac20-7527-8bb1-6cefd3e9e3ee",
                     *           "name": "laptop",
                     *           "hint": "sk_…9f3c",
                     *           "status": "active",
                     *           "counted": 70,
                     *           "cached": 21,
                     *           "failed": 1,
                     *           "texts": 340,
                     *           "tokens": 4420,
                     *           "share": 1,
                     *           "trend": -0.3
                     *         }
                     *       ],
                     *       "projection": {
                     *         "from": "2026-11-14T00:00:00.000Z",
                     *         "to": "2026-11-20T12:00:00.000Z",
                     *         "counted": 2600,
                     *         "per_day": 400,
                     *         "used_at_reset": 12600,
                     *         "exhausts_at": "2026-11-24T12:00:00.000Z",
                     *         "explanation": "2600 requests were counted since 2026-11-14, 400 a day. At this pace the quota ends on 2026-11-24."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UsageReport"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportUsage: {
        parameters: {
            query?: {
                /** @description The first day, UTC. Default: the first of the month of `to`. */
                from?: string;
                /** @description The last day, UTC, itself included. Default: today. */
                to?: string;
                /** @description One key alone. */
                key_id?: string;
                format?: "csv" | "json";
            };
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Each key’s each day, oldest first: a file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example day,key_id,key_name,counted,cached,failed,texts,tokens
                     *     2026-11-20,01a19672-ac20-7527-8bb1-6cefd3e9e3ee,laptop,70,21,1,340,4420
                     */
                    "text/csv": string;
                    "application/json": components["schemas"]["UsageExport"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAlerts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest 200, newest first, the acknowledged ones as well. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "alert_id": "01a1f49b-9780-755f-8c8f-839868989e4e",
                     *           "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *           "kind": "threshold",
                     *           "threshold": 80,
                     *           "window": "month",
                     *           "window_start": "2026-11-01T00:00:00.000Z",
                     *           "is_current": true,
                     *           "limit": 10000,
                     *           "used": 8000,
                     *           "exhausts_at": null,
                     *           "raised_at": "2026-11-19T16:20:00.000Z",
                     *           "acknowledged_at": null,
                     *           "acknowledged_by": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AlertList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acknowledgeAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alert as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "alert_id": "01a1f49b-9780-755f-8c8f-839868989e4e",
                     *       "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *       "kind": "threshold",
                     *       "threshold": 80,
                     *       "window": "month",
                     *       "window_start": "2026-11-01T00:00:00.000Z",
                     *       "is_current": true,
                     *       "limit": 10000,
                     *       "used": 8000,
                     *       "exhausts_at": null,
                     *       "raised_at": "2026-11-19T16:20:00.000Z",
                     *       "acknowledged_at": "2026-11-19T16:30:00.000Z",
                     *       "acknowledged_by": "01a19671-bdd8-7439-9c26-0d844f0260bb"
                     *     }
                     */
                    "application/json": components["schemas"]["Alert"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAlertSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the organization is told of. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thresholds": [
                     *         50,
                     *         80,
                     *         90,
                     *         100
                     *       ],
                     *       "projection": true
                     *     }
                     */
                    "application/json": components["schemas"]["AlertSettings"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setAlertSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "thresholds": [
                 *         50,
                 *         80,
                 *         90,
                 *         100
                 *       ],
                 *       "projection": true
                 *     }
                 */
                "application/json": components["schemas"]["AlertSettings"];
            };
        };
        responses: {
            /** @description What the organization is told of. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thresholds": [
                     *         50,
                     *         80,
                     *         90,
                     *         100
                     *       ],
                     *       "projection": true
                     *     }
                     */
                    "application/json": components["schemas"]["AlertSettings"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    listAlertTargets: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All, oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "target_id": "01a1967a-e980-7731-aa92-077206c46de9",
                     *           "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *           "kind": "webhook",
                     *           "address": "https://example.com/hooks/embedgate",
                     *           "created_by": "01a19671-bdd8-7439-9c26-0d844f0260bb",
                     *           "created_at": "2026-11-01T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AlertTargetList"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    createAlertTarget: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAlertTargetRequest"];
            };
        };
        responses: {
            /** @description The target, with its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "target_id": "01a1967a-e980-7731-aa92-077206c46de9",
                     *       "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *       "kind": "webhook",
                     *       "address": "https://example.com/hooks/embedgate",
                     *       "created_by": "01a19671-bdd8-7439-9c26-0d844f0260bb",
                     *       "created_at": "2026-11-01T09:30:00.000Z",
                     *       "secret": "whsec_…"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedAlertTarget"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    deleteAlertTarget: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
                target_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    testAlertTarget: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
                target_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To be sent at once; the list of deliveries tells how that went. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delivery_id": "01a1f49b-9780-756a-aa93-83bb06130341",
                     *       "message_id": "01a1f49b-9780-7649-8e8e-099eb7b5db40",
                     *       "target_id": "01a1967a-e980-7731-aa92-077206c46de9",
                     *       "alert_id": "01a1f49b-9780-755f-8c8f-839868989e4e",
                     *       "type": "quota.threshold_reached",
                     *       "status": "pending",
                     *       "attempts": 0,
                     *       "next_attempt_at": "2026-11-19T16:20:00.000Z",
                     *       "last_attempt_at": null,
                     *       "last_outcome": null,
                     *       "created_at": "2026-11-19T16:20:00.000Z",
                     *       "message": {
                     *         "type": "quota.threshold_reached",
                     *         "timestamp": "2026-11-19T16:20:00.000Z",
                     *         "data": {
                     *           "alert_id": "01a1f49b-9780-755f-8c8f-839868989e4e",
                     *           "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *           "limit": 10000,
                     *           "used": 8000,
                     *           "window": "month",
                     *           "window_start": "2026-11-01T00:00:00.000Z",
                     *           "resets_at": "2026-12-01T00:00:00.000Z",
                     *           "threshold": 80
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AlertDelivery"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. Or the organization has as many requests in progress, or as large ones, as it may have at a time. On routes for people: more attempts, or more notices to be sent, than are taken at a time. Try again after `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limit_exceeded",
                     *       "message": "Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    listAlertDeliveries: {
        parameters: {
            query?: {
                /** @description To this target alone. */
                target_id?: string;
            };
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest 200, newest first. Kept are an organization’s newest 1,000, for 90 days. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "delivery_id": "01a1f49b-9780-756a-aa93-83bb06130341",
                     *           "message_id": "01a1f49b-9780-7649-8e8e-099eb7b5db40",
                     *           "target_id": "01a1967a-e980-7731-aa92-077206c46de9",
                     *           "alert_id": "01a1f49b-9780-755f-8c8f-839868989e4e",
                     *           "type": "quota.threshold_reached",
                     *           "status": "delivered",
                     *           "attempts": 1,
                     *           "next_attempt_at": null,
                     *           "last_attempt_at": "2026-11-19T16:20:01.000Z",
                     *           "last_outcome": "Status 200",
                     *           "created_at": "2026-11-19T16:20:00.000Z",
                     *           "message": {
                     *             "type": "quota.threshold_reached",
                     *             "timestamp": "2026-11-19T16:20:00.000Z",
                     *             "data": {
                     *               "alert_id": "01a1f49b-9780-755f-8c8f-839868989e4e",
                     *               "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *               "limit": 10000,
                     *               "used": 8000,
                     *               "window": "month",
                     *               "window_start": "2026-11-01T00:00:00.000Z",
                     *               "resets_at": "2026-12-01T00:00:00.000Z",
                     *               "threshold": 80
                     *             }
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AlertDeliveryList"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    resendAlertDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To be sent at once; the list of deliveries tells how that went. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delivery_id": "01a1f49b-9780-756a-aa93-83bb06130341",
                     *       "message_id": "01a1f49b-9780-7649-8e8e-099eb7b5db40",
                     *       "target_id": "01a1967a-e980-7731-aa92-077206c46de9",
                     *       "alert_id": "01a1f49b-9780-755f-8c8f-839868989e4e",
                     *       "type": "quota.threshold_reached",
                     *       "status": "pending",
                     *       "attempts": 0,
                     *       "next_attempt_at": "2026-11-19T16:20:00.000Z",
                     *       "last_attempt_at": null,
                     *       "last_outcome": null,
                     *       "created_at": "2026-11-19T16:20:00.000Z",
                     *       "message": {
                     *         "type": "quota.threshold_reached",
                     *         "timestamp": "2026-11-19T16:20:00.000Z",
                     *         "data": {
                     *           "alert_id": "01a1f49b-9780-755f-8c8f-839868989e4e",
                     *           "org_id": "01a19671-c1c0-7453-bb19-492ba816cd71",
                     *           "limit": 10000,
                     *           "used": 8000,
                     *           "window": "month",
                     *           "window_start": "2026-11-01T00:00:00.000Z",
                     *           "resets_at": "2026-12-01T00:00:00.000Z",
                     *           "threshold": 80
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AlertDelivery"];
                };
            };
            /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "message": "input is missing: send a string or an array of strings"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_api_key",
                     *       "message": "Invalid API key"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The caller is known, and may not do this; or the request came from another site’s page. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "forbidden",
                     *       "message": "The role viewer may not do this"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description No such thing, or an organization that the caller does not belong to: the two look the same. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "No such organization"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "request_timeout",
                     *       "message": "The request took too long to arrive"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "message": "The body is larger than 4,096 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The body is not sent as `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "message": "Send the body as application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. Or the organization has as many requests in progress, or as large ones, as it may have at a time. On routes for people: more attempts, or more notices to be sent, than are taken at a time. Try again after `Retry-After`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limit_exceeded",
                     *       "message": "Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description The request line and the headers are larger than 16 KiB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "headers_too_large",
                     *       "message": "The request line and headers are larger than 16 KiB"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description A defect of the service. Never counted. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "internal_error",
                     *       "message": "Something went wrong on our side"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
            /** @description `overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "overloaded",
                     *       "message": "Too many texts are waiting. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    createOwnEmbeddings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        /** @description Unknown fields are ignored. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmbeddingsRequest"];
            };
        };
        responses: {
            /** @description The vectors of all texts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "object": "embedding",
                     *           "index": 0,
                     *           "embedding": [
                     *             0.018542,
                     *             -0.061133,
                     *             0.032718
                     *           ]
                     *         }
                     *       ],
                     *       "model": "universal-sentence-encoder-lite",
                     *       "usage": {
                     *         "prompt_tokens": 5,
                     *         "total_tokens": 5
                     *       },
                     *       "cached": false
                     *     }
                     */
                    "application/json": components["schemas"]["EmbeddingsResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
