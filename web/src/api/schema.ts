// Made by `npm run api-types` from docs/openapi.json.

export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check whether the process is running */
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
        /** Check whether the service is ready */
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
        /** Get the Prometheus metrics */
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
         * @description Returns one embedding per text, in the order of the texts. Texts that the organization has sent before come from its cache. If all of them do, the request is not counted, and is answered even when the quota is used up.
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
         * @description The aliases of a model are listed after it.
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
        /** Get a served model */
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
         * Get the organization’s quota and this month’s usage
         * @description `totals` is the usage of all keys of the organization; `key` is the usage of the calling key.
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
        /** Get the options of the sign-in page */
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
         * Sign in with email and password
         * @description The number of attempts per IP address and per email address is limited. Above the limit, the status is 429, and `Retry-After` says when to try again. A browser that has signed in as this user before has a limit of its own.
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
         * Send the code of the second factor
         * @description The second step of a sign-in. The number of codes per user is limited, separately for authenticator codes and backup codes. Above the limit, the status is 429, and `Retry-After` says when to try again. A browser that has signed in as this user before has a limit of its own. The status is 401 if the first step was more than ten minutes ago.
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
         * Start a sign-in with GitHub, Google or OpenID Connect
         * @description The provider redirects the browser to `/auth/callback/{provider}`, which redirects it to `return_to`.
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
         * Create an account
         * @description Available if the service is started with `SIGN_UP=open`. Otherwise people need an invitation.
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
        /** Request a reset password link */
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
         * Choose a new password with the token of a reset password link
         * @description Ends all sessions of the user and all their other reset password links. A mailed link also verifies the address. An account whose address was never verified loses its links to providers and its second factor.
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
        /** Find the invitation behind a link */
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
         * @description If you are signed in as the invited address, send only the token. If you have no account, send a name and a password as well, which creates one and signs in.
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
         * Get the caller
         * @description For: anyone with a key or a session.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your name
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
         * Change your password
         * @description Ends all other sessions and all reset password links.
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
         * @description It takes effect once a code is confirmed with `POST /v1/me/totp/confirm`.
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
         * List your sessions
         * @description For: anyone who is signed in.
         */
        get: operations["listMySessions"];
        put?: never;
        post?: never;
        /**
         * End all your other sessions
         * @description Keeps the session that sends the request.
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
         * End one of your sessions
         * @description The next request with the session is rejected on every replica.
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
         * List all users
         * @description For: administrators.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description Only this response contains the generated password.
         *
         *     For: administrators.
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
         * Create a reset password link for a user
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
         * @description Deletes the account, its sessions and memberships, and the invitations that the user has sent. The API keys belong to the organization and stay valid, unless `revoke_keys` is `true`. The only administrator who can sign in can’t be deleted, nor can the last owner of an organization.
         *
         *     For: administrators.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Disable, enable, promote or demote a user
         * @description A disabled user can’t sign in. Their sessions and reset password links, and the invitations that they have sent, end immediately. Their memberships stay, and so do their API keys unless `revoke_keys` is `true`. The only administrator who can sign in can’t be disabled or demoted.
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
         * @description The tiers that organizations can have.
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
         * List the organizations of the caller
         * @description For: anyone with a key or a session.
         */
        get: operations["listOrganizations"];
        put?: never;
        /**
         * Create an organization
         * @description The user who creates the organization becomes its first owner.
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
         * Get an organization and its quota
         * @description For: API keys of the organization, viewers, members, admins, owners, administrators.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        /**
         * Delete an organization, its keys and its usage
         * @description Permanent. The keys are rejected from the next request on. The usage can’t be read any more, and is deleted soon afterwards.
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
         * Get the caller’s permissions in an organization
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
         * Change the tier, or set a custom limit
         * @description Takes effect with the next request. Requests that have been counted stay counted.
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
         * List the keys of an organization
         * @description For: API keys of the organization, viewers, members, admins, owners, administrators.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description Only this response contains the secret.
         *
         *     For: members, admins, owners, administrators.
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
         * Revoke a key permanently
         * @description Takes effect with the next request. A key can revoke itself. Members can revoke their own keys; admins can revoke any key.
         *
         *     Also revokes the keys that the key has created by rotating itself, and the keys that those have created. Keys that a person has created by rotating it stay valid.
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
         * Replace a key with a new one
         * @description A key can rotate itself. Members can rotate their own keys; admins can rotate any key.
         *
         *     The old key stays valid for the grace period. The new key gets the lifetime that the old one was created with. If a key rotates itself, the new key expires when the old one would have, and is revoked with the old one.
         *
         *     A key has one successor at a time. While the successor is valid, rotate the successor instead. A key can rotate itself once.
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
         * List the members of an organization
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
         * Remove a member, or leave an organization
         * @description Members can leave. Admins can remove other members, and owners can remove owners. The last owner can’t be removed. The member’s API keys belong to the organization and stay valid.
         *
         *     For: viewers, members, admins, owners, administrators.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member’s role
         * @description Only owners can give or take the role owner. The last owner keeps the role.
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
         * List the invitations that have not been accepted
         * @description For: viewers, members, admins, owners, administrators.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a person by email address
         * @description The service mails the link if it can send mail, and shows it to nobody else. Otherwise the response contains the link to hand over. The link works for one person, for 7 days, as long as its sender may invite people. Only owners can invite owners. The number of invitations per organization and per address is limited. Above the limit, the status is 429, and `Retry-After` says when to try again.
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
         * Withdraw an invitation
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
         * Get an organization’s usage by time, key and model
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
         * Export the usage per day, key and model as CSV or JSON
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
         * List the alerts of an organization
         * @description Each alert is raised once per window: once a month, or once a day for a daily limit. Shorter windows raise no alerts.
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
         * Acknowledge an alert
         * @description Acknowledges the alert for everyone in the organization. `acknowledged_by` stays the first person who acknowledged it.
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
         * Get the alert settings
         * @description For: API keys of the organization, viewers, members, admins, owners, administrators.
         */
        get: operations["getAlertSettings"];
        /**
         * Change the alert settings
         * @description If usage is already above a new threshold, its alert is raised within a minute. Existing alerts do not change.
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
         * List the notification channels
         * @description For: members, admins, owners, administrators.
         */
        get: operations["listAlertTargets"];
        put?: never;
        /**
         * Create a notification channel
         * @description Sends alerts to an email address or a webhook. Webhooks are signed according to [Standard Webhooks](https://www.standardwebhooks.com). The service follows no redirects, and sends no requests to private addresses unless its operator allows them.
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
         * Delete a notification channel
         * @description Pending messages to the channel are not sent, and its deliveries are deleted.
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
         * Send a test message to a notification channel
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
         * List the deliveries and their results
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
         * Send a message to its channel again
         * @description Creates a new delivery with the same message id, so that receivers can recognize the duplicate.
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
    "/v1/organizations/{org_id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the limits of the organization or of a key
         * @description For: API keys of the organization, viewers, members, admins, owners, administrators.
         */
        get: operations["listLimits"];
        put?: never;
        /**
         * Limit an organization or a key
         * @description The limit applies from the next request on, beside the quota of the tier and all other limits: a request counts in all of them or in none. Administrators of the installation change the limits of organizations. Owners and admins of an organization change the limits of its keys.
         *
         *     For: admins, owners, administrators.
         */
        post: operations["createLimit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/limits/{limit_id}": {
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
         * Remove a limit
         * @description The limit no longer applies from the next request on. Administrators of the installation change the limits of organizations. Owners and admins of an organization change the limits of its keys.
         *
         *     For: admins, owners, administrators.
         */
        delete: operations["deleteLimit"];
        options?: never;
        head?: never;
        /**
         * Change the amount of a limit
         * @description The new amount applies from the next request on. What was used in the current window stays used. Administrators of the installation change the limits of organizations. Owners and admins of an organization change the limits of its keys.
         *
         *     For: admins, owners, administrators.
         */
        patch: operations["updateLimit"];
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
         * @description Works like `POST /v1/embeddings`, and is counted in the same way. Returns one embedding per text, in the order of the texts. Texts that the organization has sent before come from its cache. If all of them do, the request is not counted, and is answered even when the quota is used up.
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
        /** @description With a session, send only the token. */
        AcceptInvitationRequest: {
            token: string;
            /** @description The name of the new account. */
            name?: string;
            /** @description 10 to 128 characters. */
            password?: string;
        };
        AcceptedInvitation: {
            /** Format: uuid */
            org_id: string;
            /**
             * @description The roles are viewer, member, admin and owner. Each includes the permissions of those before it.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
        };
        Access: {
            /**
             * @description The caller’s role in the organization. Administrators of the installation may do everything in every organization.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner" | "key" | "administrator";
            /** @description The actions that the caller may perform there, such as `keys.create`, so that pages show nothing else. */
            may: string[];
        };
        Alert: {
            /** Format: uuid */
            alert_id: string;
            /** Format: uuid */
            org_id: string;
            /**
             * @description `threshold`: usage reached this percentage of the quota. `projection`: at the rate of the last days, the quota will run out before its reset.
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
            /** @description Whether the window is still running. */
            is_current: boolean;
            /** @description The limit when the alert was raised. */
            limit: number;
            /** @description The requests counted when the alert was raised. */
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
             * @description The message’s `webhook-id`. It stays the same each time the message is sent.
             */
            message_id: string;
            /** Format: uuid */
            target_id: string;
            alert_id: string | null;
            /** @enum {string} */
            type: "quota.threshold_reached" | "quota.exhaustion_projected" | "test";
            /**
             * @description `pending`: not sent yet, or waiting for another attempt. `failed`: no further attempt will be made.
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
            /** @description Whether there are more rows after these. */
            has_more: boolean;
            next: string | null;
        };
        AlertList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Alert"][];
            /** @description Whether there are more rows after these. */
            has_more: boolean;
            next: string | null;
        };
        AlertSettings: {
            /** @description Percentages of the limit. An empty list: no threshold alerts. */
            thresholds: number[];
            /** @description Whether to send an alert when the quota is expected to run out before its reset. */
            projection: boolean;
        };
        AlertTarget: {
            /** Format: uuid */
            target_id: string;
            /** Format: uuid */
            org_id: string;
            /** @enum {string} */
            kind: "email" | "webhook";
            /** @description An email address or a URL. */
            address: string;
            /**
             * Format: uuid
             * @description The id of the user who created the channel.
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
            /** @description Whether there are more rows after these. */
            has_more: boolean;
            next: string | null;
        };
        ChangePasswordRequest: {
            current_password: string;
            /** @description 10 to 128 characters. */
            new_password: string;
        };
        ChangeUserRequest: {
            /** @description Whether the user is an administrator of the installation. Default: unchanged. */
            is_admin?: boolean;
            /** @description `true` ends the user’s sessions immediately. Default: unchanged. */
            disabled?: boolean;
            /**
             * @description With `"disabled": true`: also revoke the user’s API keys in all organizations.
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
            /** @description An email address, or an http or https URL. */
            address: string;
        };
        CreateKeyRequest: {
            /** @description What the key is for: 1 to 200 characters. */
            name: string;
            expires_in_days?: number | null;
        };
        CreateLimitRequest: {
            key_id?: string | null;
            /**
             * @description What the limit counts. Texts and tokens are those that are computed, not those from the cache.
             * @enum {string}
             */
            unit: "requests" | "texts" | "tokens";
            /**
             * @description A calendar window in UTC.
             * @enum {string}
             */
            window: "second" | "minute" | "hour" | "day" | "month";
            /** @description The maximum number of units in each window. */
            amount: number;
        };
        CreateOrganizationRequest: {
            name: string;
            /** @description The name of a tier. `GET /v1/tiers` lists the tiers. */
            tier?: string;
            limit?: number | null;
            /**
             * @description The calendar window of the custom limit.
             * @default month
             * @enum {string}
             */
            window?: "second" | "minute" | "hour" | "day" | "month";
        };
        CreateUserRequest: {
            /** @description An email address. */
            email: string;
            /** @description Default: the part of the address before the @. */
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
            /** @description An email address or a URL. */
            address: string;
            /**
             * Format: uuid
             * @description The id of the user who created the channel.
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
             * @description The roles are viewer, member, admin and owner. Each includes the permissions of those before it.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
            /** @description Whether the link was sent to the address. */
            mailed: boolean;
            /**
             * Format: uuid
             * @description The id of the user who sent the invitation.
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
            /** @description The secret: `sk_` and 64 hexadecimal characters. It is shown only once. */
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
            /** @description Whether the user is an administrator of the installation. */
            is_admin: boolean;
            uses_totp: boolean;
            /** @description Whether the user is prevented from signing in. */
            disabled: boolean;
            /** @description Number of organizations that the user is a member of. */
            organization_count: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @description It is shown only once. */
            password: string;
        };
        Embedding: {
            /** @enum {string} */
            object: "embedding";
            /** @description The text’s index in `input`. */
            index: number;
            /** @description A unit vector. */
            embedding: number[] | string;
        };
        /** @description Unknown fields are ignored. */
        EmbeddingsRequest: {
            /** @description One text, or a list of 1 to 2048 texts. No text may be empty. Token arrays are rejected. */
            input: string | string[];
            /** @description The name of a served model. `GET /v1/models` lists them. Default: the first one. */
            model?: string;
            /**
             * @description `base64`: the bytes of the vector as little-endian float32.
             * @default float
             * @enum {string}
             */
            encoding_format?: "float" | "base64";
            /** @description Truncates the vectors to this many dimensions and normalizes them again. At most the model’s own. */
            dimensions?: number;
            /** @description Accepted for compatibility and ignored. */
            user?: string;
            /**
             * @description For models with prompts. The built-in model has none.
             * @default document
             * @enum {string}
             */
            input_type?: "query" | "document";
            /**
             * @description `false`: a text that exceeds the model’s limit is an error instead of being truncated.
             * @default true
             */
            truncate?: boolean;
        };
        EmbeddingsResponse: {
            /** @enum {string} */
            object: "list";
            /** @description One embedding per text, in the order of `input`. */
            data: components["schemas"]["Embedding"][];
            /** @description The model that computed the vectors. */
            model: string;
            usage: components["schemas"]["TokenUsage"];
            /** @description True if and only if nothing was computed for this request. Such a request is not counted. */
            cached: boolean;
        };
        EndedSessions: {
            /** @description Number of sessions that ended. */
            ended: number;
        };
        Error: {
            /**
             * @description The error’s code, for programs.
             * @enum {string}
             */
            error: "invalid_request" | "invalid_api_key" | "not_signed_in" | "invalid_credentials" | "forbidden" | "not_found" | "method_not_allowed" | "request_timeout" | "payload_too_large" | "unsupported_media_type" | "headers_too_large" | "rate_limit_exceeded" | "internal_error" | "overloaded" | "unavailable";
            /** @description For people: what is wrong and what to do about it. The wording may change. */
            message: string;
        };
        ForgotPassword: {
            /** @enum {string} */
            status: "sent" | "ask_administrator";
        };
        ForgotPasswordRequest: {
            /** @description An email address. */
            email: string;
        };
        FoundInvitation: {
            /** Format: uuid */
            org_id: string;
            /** @description The organization’s name. */
            organization: string;
            email: string;
            /**
             * @description The roles are viewer, member, admin and owner. Each includes the permissions of those before it.
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
             * @description The roles are viewer, member, admin and owner. Each includes the permissions of those before it.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
            /** @description Whether the link was sent to the address. */
            mailed: boolean;
            /**
             * Format: uuid
             * @description The id of the user who sent the invitation.
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
            /** @description Whether there are more rows after these. */
            has_more: boolean;
            next: string | null;
        };
        InvitationRequest: {
            /** @description An email address. */
            email: string;
            /**
             * @description The roles are viewer, member, admin and owner. Each includes the permissions of those before it.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
        };
        /** @description The token is the part of the link after `#token=`. */
        InvitationTokenRequest: {
            token: string;
        };
        /** @description An API key, without its secret. */
        Key: {
            /** Format: uuid */
            key_id: string;
            /** Format: uuid */
            org_id: string;
            /** @description The user who owns the key. */
            user_id: string;
            user_name: string | null;
            /** @description What the key is for. */
            name: string;
            /**
             * @description `revoked` is permanent.
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
            /** @description Whether there are more rows after these. */
            has_more: boolean;
            next: string | null;
        };
        KeyShare: {
            /**
             * Format: uuid
             * @description A key, which may be revoked, or a user who embedded texts with a session.
             */
            key_id: string;
            name: string | null;
            hint: string | null;
            status: ("active" | "revoked") | null;
            /** @description Requests that counted against the quota. */
            counted: number;
            /** @description Requests that were answered without computing anything. They are not counted. */
            cached: number;
            /** @description Requests that failed or were refused. They are not counted. */
            failed: number;
            /** @description Texts in the answered requests. */
            texts: number;
            /** @description Tokens in the answered requests. */
            tokens: number;
            share: number | null;
            trend: number | null;
        };
        /** @description The usage of the calling key in this month. */
        KeyUsage: {
            /** Format: uuid */
            key_id: string;
            /** @description Requests that counted against the quota. */
            counted: number;
            /** @description Requests that were answered without computing anything. They are not counted. */
            cached: number;
            /** @description Requests that failed or were refused. They are not counted. */
            failed: number;
            /** @description Texts in the answered requests. */
            texts: number;
            /** @description Tokens in the answered requests. */
            tokens: number;
        };
        Limit: {
            /** Format: uuid */
            limit_id: string;
            key_id: string | null;
            /**
             * @description What the limit counts. Texts and tokens are those that are computed, not those from the cache.
             * @enum {string}
             */
            unit: "requests" | "texts" | "tokens";
            /**
             * @description A calendar window in UTC.
             * @enum {string}
             */
            window: "second" | "minute" | "hour" | "day" | "month";
            /** @description The maximum number of units in each window. */
            amount: number;
            /** @description The units used in the current window. More than `amount` if the amount was lowered. */
            used: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            resets_at: string;
        };
        LimitList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Limit"][];
        };
        ListedOrganization: {
            /** Format: uuid */
            org_id: string;
            name: string;
            /** @description The name of a tier. `GET /v1/tiers` lists the tiers. */
            tier: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            quota: components["schemas"]["Quota"];
            /**
             * @description The caller’s role in the organization. Administrators of the installation may do everything in every organization.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner" | "key" | "administrator";
            /** @description The actions that the caller may perform there, such as `keys.create`, so that pages show nothing else. */
            may: string[];
        };
        /** @description For a request with an API key. */
        MeKey: {
            /** @enum {string} */
            object: "key";
            /** Format: uuid */
            key_id: string;
            /** Format: uuid */
            org_id: string;
        };
        /** @description For a request with a session. */
        MeUser: {
            /** @enum {string} */
            object: "user";
            /** Format: uuid */
            user_id: string;
            email: string;
            name: string;
            /** @description Whether the user is an administrator of the installation. */
            is_admin: boolean;
            uses_totp: boolean;
        };
        Member: {
            /** Format: uuid */
            user_id: string;
            email: string;
            name: string;
            /**
             * @description The roles are viewer, member, admin and owner. Each includes the permissions of those before it.
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
            /** @description Whether there are more rows after these. */
            has_more: boolean;
            next: string | null;
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
            /** @description Maximum number of tokens per text. */
            max_input_tokens: number;
            /** @description The model’s own name, which responses use. Absent if `id` is that name. */
            alias_of?: string;
            /** @description The sizes that the model was trained for, to use as `dimensions`. Absent if the model states none. */
            matryoshka_dimensions?: number[];
        };
        ModelList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Model"][];
        };
        ModelUsage: {
            model: string | null;
            /** @description Requests that counted against the quota. */
            counted: number;
            /** @description Requests that were answered without computing anything. They are not counted. */
            cached: number;
            /** @description Requests that failed or were refused. They are not counted. */
            failed: number;
            /** @description Texts in the answered requests. */
            texts: number;
            /** @description Tokens in the answered requests. */
            tokens: number;
        };
        /** @description The message that is sent, which is also the body of a webhook. */
        Notice: {
            /** @enum {string} */
            type: "quota.threshold_reached" | "quota.exhaustion_projected" | "test";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            timestamp: string;
            /** @description Later versions may add fields. */
            data: {
                /** Format: uuid */
                org_id: string;
                /** Format: uuid */
                alert_id?: string;
                /** @description The limit when the alert was raised. */
                limit?: number;
                /** @description The requests counted when the alert was raised. */
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
                /** @description Percent. Only in threshold alerts. */
                threshold?: number;
                /**
                 * Format: date-time
                 * @description Only in projections.
                 */
                exhausts_at?: string;
                /** @description Only in tests. */
                message?: string;
            };
        };
        /** @description The same error in the format of OpenAI’s API. */
        OpenAIError: {
            error: {
                message: string;
                /** @description OpenAI’s name for this kind of error. */
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
            /** @description The name of a tier. `GET /v1/tiers` lists the tiers. */
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
            /** @description Whether there are more rows after these. */
            has_more: boolean;
            next: string | null;
        };
        PasswordRequest: {
            password: string;
        };
        /** @description A forecast of the quota, and the figures that it is based on. */
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
            /** @description The average per day, which the forecast continues. */
            per_day: number;
            /** @description The forecast of counted requests at the reset. */
            used_at_reset: number;
            exhausts_at: string | null;
            /** @description The forecast in words. */
            explanation: string;
        };
        ProviderSignIn: {
            /** @description The address to send the browser to. */
            url: string;
        };
        ProviderSignInRequest: {
            /** @enum {string} */
            provider: "github" | "google" | "oidc";
            /**
             * @description The path of the page to return to.
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
            /** @description The parts that are not ready. */
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
        /** @description The old key and its expiry. */
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
            /** @description The page on which the user chooses a new password. Send it to the user. */
            url: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
        };
        /** @description The token is the part of the link after `#token=`. */
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
            /** @description The user who owns the key. */
            user_id: string;
            user_name: string | null;
            /** @description What the key is for. */
            name: string;
            /**
             * @description `revoked` is permanent.
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
            /** @description The keys that this key had created by rotating itself and that were active until now. */
            also_revoked: string[];
        };
        RoleRequest: {
            /**
             * @description The roles are viewer, member, admin and owner. Each includes the permissions of those before it.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
        };
        RotateKeyRequest: {
            /**
             * @description How long the old key stays valid. It still expires at its own expiry if that is earlier.
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
            /** @description The secret: `sk_` and 64 hexadecimal characters. It is shown only once. */
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
            /** @description Whether this is the session that sent the request. */
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
             * @description When the session was last renewed. A session in use is renewed once a day.
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
            /** @description Whether there are more rows after these. */
            has_more: boolean;
            next: string | null;
        };
        SetTierRequest: {
            /** @description The name of a tier. `GET /v1/tiers` lists the tiers. */
            tier: string;
            limit?: number | null;
            /**
             * @description The calendar window of the custom limit.
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
             * @description How users replace a forgotten password: with a mailed link, or with one from an administrator.
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
            /** @description An email address. */
            email: string;
            password: string;
        };
        SignUpRequest: {
            /** @description An email address. */
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
            /** @description How much computing time an organization of this tier gets while others wait too, relative to their weights. */
            weight: number;
            /** @description The part of the otherwise free queue that an organization of this tier can hold. Further requests get 503 `overloaded`. */
            room_percent: number;
            /** @description Whether new organizations get this tier. */
            is_default: boolean;
        };
        TierList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Tier"][];
        };
        TokenUsage: {
            /** @description Tokens that the model read, in all texts. */
            prompt_tokens: number;
            /** @description The same as `prompt_tokens`. */
            total_tokens: number;
        };
        TotpSetup: {
            /** @description `otpauth://…`, to show as a QR code. */
            uri: string;
            /** @description Each code works for one sign-in. They are shown only once. */
            backup_codes: string[];
        };
        /** @description A code from the authenticator app, or a backup code. */
        TotpSignInRequest: {
            code?: string;
            backup_code?: string;
            /**
             * @description Do not ask this browser for a code for 30 days.
             * @default false
             */
            trust_device?: boolean;
        };
        UpdateLimitRequest: {
            /** @description The maximum number of units in each window. */
            amount: number;
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
            /** @description The calendar month (YYYY-MM, UTC) of the figures: the one that requests currently count in. */
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
            /** @description Requests that counted against the quota. */
            counted: number;
            /** @description Requests that were answered without computing anything. They are not counted. */
            cached: number;
            /** @description Requests that failed or were refused. They are not counted. */
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
            /** @description Every day or month, including those without usage. */
            series: components["schemas"]["UsagePeriod"][];
            /** @description Ordered by usage, highest first. */
            keys: components["schemas"]["KeyShare"][];
            /** @description The usage of each model. Ordered by usage, highest first. */
            models: components["schemas"]["ModelUsage"][];
            /** @description The limits of the organization, or with `key_id` those that apply to the key. */
            limits: components["schemas"]["Limit"][];
            projection: components["schemas"]["Projection"] | null;
        };
        UsageRow: {
            day: string;
            /** Format: uuid */
            key_id: string;
            key_name: string | null;
            /** @description Requests that counted against the quota. */
            counted: number;
            /** @description Requests that were answered without computing anything. They are not counted. */
            cached: number;
            /** @description Requests that failed or were refused. They are not counted. */
            failed: number;
            /** @description Texts in the answered requests. */
            texts: number;
            /** @description Tokens in the answered requests. */
            tokens: number;
            model: string | null;
        };
        /** @description The usage of all keys in this period. */
        UsageTotals: {
            /** @description Requests that counted against the quota. */
            counted: number;
            /** @description Requests that were answered without computing anything. They are not counted. */
            cached: number;
            /** @description Requests that failed or were refused. They are not counted. */
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
            /** @description Whether the user is an administrator of the installation. */
            is_admin: boolean;
            uses_totp: boolean;
            /** @description Whether the user is prevented from signing in. */
            disabled: boolean;
            /** @description Number of organizations that the user is a member of. */
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
            /** @description Whether there are more rows after these. */
            has_more: boolean;
            next: string | null;
        };
    };
    responses: {
        /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
        /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
        /** @description The caller does not have permission, or the request came from another site’s page. */
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
        /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
        /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
        /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
        /** @description The `Content-Type` is not `application/json`. */
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
        /** @description The organization’s quota is used up: texts in the cache are still answered, and other requests again from `X-RateLimit-Reset` on. Or the organization has too many or too large requests in progress. On routes for people: there were too many attempts, or too many messages are waiting to be sent. Try again after `Retry-After`. */
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
        /** @description The service has failed because of a bug. The request is not counted. */
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
        /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
        /** @description The format of errors: ours (`flat`) or OpenAI’s. */
        ErrorFormat: "flat" | "openai";
        /** @description An id for this request, which appears in the response and in the log. */
        RequestId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The id that the request sent, if it has at most 64 letters, digits, `_`, `.`, `:` and `-`; otherwise a new id.
         * @example 5b0f7a0e-6a55-4a86-9c42-8f3f1d1c5f0e
         */
        "X-Request-Id": string;
        /**
         * @description Requests per window. 9007199254740991 means unlimited.
         * @example 10000
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Requests left in this window. 9007199254740991 means unlimited.
         * @example 9877
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description The end of the window, in UTC.
         * @example 2026-12-01T00:00:00Z
         */
        "X-RateLimit-Reset": string;
        /**
         * @description The window’s name, quota and length in seconds, according to draft-ietf-httpapi-ratelimit-headers.
         * @example "monthly";q=10000;w=2592000
         */
        "RateLimit-Policy": string;
        /**
         * @description The remaining requests and the seconds until the reset, according to the same draft.
         * @example "monthly";r=9877;t=86400
         */
        RateLimit: string;
        /**
         * @description Seconds after which a retry makes sense.
         * @example 86400
         */
        "Retry-After": number;
        /**
         * @description The authentication scheme: send the API key as a bearer token.
         * @example Bearer
         */
        "WWW-Authenticate": string;
        /**
         * @description `false` if the reset is more than a minute away, so that OpenAI’s SDKs do not retry.
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
            /** @description The process is running. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
            /** @description The service is ready. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The service is not ready. */
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
            /** @description Metrics in the Prometheus text format. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The served models. The first one serves requests that name no model. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The name of a model, or an alias. A slash in it can be encoded as `%2F` or left as it is. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization’s quota and this month’s usage. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The options that a sign-in page shows. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The organization’s quota is used up: texts in the cache are still answered, and other requests again from `X-RateLimit-Reset` on. Or the organization has too many or too large requests in progress. On routes for people: there were too many attempts, or too many messages are waiting to be sent. Try again after `Retry-After`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description A code from the authenticator app, or a backup code. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The organization’s quota is used up: texts in the cache are still answered, and other requests again from `X-RateLimit-Reset` on. Or the organization has too many or too large requests in progress. On routes for people: there were too many attempts, or too many messages are waiting to be sent. Try again after `Retry-After`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The organization’s quota is used up: texts in the cache are still answered, and other requests again from `X-RateLimit-Reset` on. Or the organization has too many or too large requests in progress. On routes for people: there were too many attempts, or too many messages are waiting to be sent. Try again after `Retry-After`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The organization’s quota is used up: texts in the cache are still answered, and other requests again from `X-RateLimit-Reset` on. Or the organization has too many or too large requests in progress. On routes for people: there were too many attempts, or too many messages are waiting to be sent. Try again after `Retry-After`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description `sent`: the service mails a link if the user exists. The response does not reveal whether they do. `ask_administrator`: this service sends no mail. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The organization’s quota is used up: texts in the cache are still answered, and other requests again from `X-RateLimit-Reset` on. Or the organization has too many or too large requests in progress. On routes for people: there were too many attempts, or too many messages are waiting to be sent. Try again after `Retry-After`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The token is the part of the link after `#token=`. */
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
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The organization’s quota is used up: texts in the cache are still answered, and other requests again from `X-RateLimit-Reset` on. Or the organization has too many or too large requests in progress. On routes for people: there were too many attempts, or too many messages are waiting to be sent. Try again after `Retry-After`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The token is the part of the link after `#token=`. */
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
            /** @description The invitation behind the link. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The organization’s quota is used up: texts in the cache are still answered, and other requests again from `X-RateLimit-Reset` on. Or the organization has too many or too large requests in progress. On routes for people: there were too many attempts, or too many messages are waiting to be sent. Try again after `Retry-After`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description With a session, send only the token. */
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
            /** @description The user is now a member, and signed in. Existing members keep their role. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The organization’s quota is used up: texts in the cache are still answered, and other requests again from `X-RateLimit-Reset` on. Or the organization has too many or too large requests in progress. On routes for people: there were too many attempts, or too many messages are waiting to be sent. Try again after `Retry-After`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The caller. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeUser"] | components["schemas"]["MeKey"];
                };
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The organization’s quota is used up: texts in the cache are still answered, and other requests again from `X-RateLimit-Reset` on. Or the organization has too many or too large requests in progress. On routes for people: there were too many attempts, or too many messages are waiting to be sent. Try again after `Retry-After`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The second factor takes effect once a code is confirmed. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The organization’s quota is used up: texts in the cache are still answered, and other requests again from `X-RateLimit-Reset` on. Or the organization has too many or too large requests in progress. On routes for people: there were too many attempts, or too many messages are waiting to be sent. Try again after `Retry-After`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The organization’s quota is used up: texts in the cache are still answered, and other requests again from `X-RateLimit-Reset` on. Or the organization has too many or too large requests in progress. On routes for people: there were too many attempts, or too many messages are waiting to be sent. Try again after `Retry-After`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The organization’s quota is used up: texts in the cache are still answered, and other requests again from `X-RateLimit-Reset` on. Or the organization has too many or too large requests in progress. On routes for people: there were too many attempts, or too many messages are waiting to be sent. Try again after `Retry-After`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
            query?: {
                /** @description Maximum number of rows in the response. */
                limit?: number;
                /** @description The value of `next` from the page before, with the same `sort`, `q` and filters. It stays valid when rows are added or deleted. */
                after?: string;
                /** @description The order. A minus sign reverses it: `-created` lists the newest rows first. */
                sort?: "renewed" | "-renewed";
            };
            header?: {
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the sessions that have not expired, by default most recently renewed first. */
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
                     *       ],
                     *       "has_more": false,
                     *       "next": null
                     *     }
                     */
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
            query?: {
                /** @description Maximum number of rows in the response. */
                limit?: number;
                /** @description The value of `next` from the page before, with the same `sort`, `q` and filters. It stays valid when rows are added or deleted. */
                after?: string;
                /** @description The order. A minus sign reverses it: `-created` lists the newest rows first. */
                sort?: "created" | "-created" | "email" | "-email" | "name" | "-name";
                /** @description Lists only rows whose email begins with this text, or whose name does with `sort=name`. The letters A to Z match in upper and lower case. An identifier lists only the row that has it. */
                q?: string;
            };
            header?: {
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the users. */
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
                     *       ],
                     *       "has_more": false,
                     *       "next": null
                     *     }
                     */
                    "application/json": components["schemas"]["UserList"];
                };
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The user, with a generated password for the first sign-in. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A reset password link. It can be used once. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description `true`: also revoke the user’s API keys in all organizations. */
                revoke_keys?: "true" | "false";
            };
            header?: {
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
                     *           "weight": 1,
                     *           "room_percent": 50,
                     *           "is_default": true
                     *         },
                     *         {
                     *           "name": "enterprise",
                     *           "limit": null,
                     *           "price": "custom",
                     *           "custom_limits": true,
                     *           "weight": 8,
                     *           "room_percent": 50,
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
            query?: {
                /** @description Maximum number of rows in the response. */
                limit?: number;
                /** @description The value of `next` from the page before, with the same `sort`, `q` and filters. It stays valid when rows are added or deleted. */
                after?: string;
                /** @description The order. A minus sign reverses it: `-created` lists the newest rows first. */
                sort?: "created" | "-created" | "name" | "-name";
                /** @description Lists only rows whose name begins with this text. The letters A to Z match in upper and lower case. An identifier lists only the row that has it. */
                q?: string;
            };
            header?: {
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the organizations that the caller belongs to. For an administrator: of all organizations. */
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
                     *       ],
                     *       "has_more": false,
                     *       "next": null
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The organization and its quota. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The organization and its quota. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The organization and its quota. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The caller’s role in the organization, and the actions that the caller may perform. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The organization and its quota. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
            query?: {
                /** @description Maximum number of rows in the response. */
                limit?: number;
                /** @description The value of `next` from the page before, with the same `sort`, `q` and filters. It stays valid when rows are added or deleted. */
                after?: string;
                /** @description The order. A minus sign reverses it: `-created` lists the newest rows first. */
                sort?: "created" | "-created" | "name" | "-name";
                /** @description Lists only rows whose name begins with this text. The letters A to Z match in upper and lower case. An identifier lists only the row that has it. */
                q?: string;
            };
            header?: {
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description A page of the organization’s keys, by default newest first, including revoked keys. */
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
                     *       ],
                     *       "has_more": false,
                     *       "next": null
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The revoked key. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            query?: {
                /** @description Maximum number of rows in the response. */
                limit?: number;
                /** @description The value of `next` from the page before, with the same `sort`, `q` and filters. It stays valid when rows are added or deleted. */
                after?: string;
                /** @description The order. A minus sign reverses it: `-created` lists the newest rows first. */
                sort?: "created" | "-created" | "email" | "-email" | "name" | "-name";
                /** @description Lists only rows whose email begins with this text, or whose name does with `sort=name`. The letters A to Z match in upper and lower case. An identifier lists only the row that has it. */
                q?: string;
            };
            header?: {
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description A page of the members. */
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
                     *       ],
                     *       "has_more": false,
                     *       "next": null
                     *     }
                     */
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
            query?: {
                /** @description Maximum number of rows in the response. */
                limit?: number;
                /** @description The value of `next` from the page before, with the same `sort`, `q` and filters. It stays valid when rows are added or deleted. */
                after?: string;
                /** @description The order. A minus sign reverses it: `-created` lists the newest rows first. */
                sort?: "created" | "-created";
            };
            header?: {
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description A page of the invitations that have not been accepted, by default newest first, including expired ones. */
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
                     *       ],
                     *       "has_more": false,
                     *       "next": null
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The invitation. It replaces an earlier one to the same address. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The organization’s quota is used up: texts in the cache are still answered, and other requests again from `X-RateLimit-Reset` on. Or the organization has too many or too large requests in progress. On routes for people: there were too many attempts, or too many messages are waiting to be sent. Try again after `Retry-After`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The first day, in UTC. Default: the first day of the month of `to`. */
                from?: string;
                /** @description The last day, inclusive, in UTC. Default: today. */
                to?: string;
                /** @description Reports only this key. */
                key_id?: string;
                by?: "day" | "month";
            };
            header?: {
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The usage. `projection` is null if there is not enough data for a forecast. */
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
                     *       "models": [
                     *         {
                     *           "model": "universal-sentence-encoder-lite",
                     *           "counted": 70,
                     *           "cached": 21,
                     *           "failed": 1,
                     *           "texts": 340,
                     *           "tokens": 4420
                     *         }
                     *       ],
                     *       "limits": [
                     *         {
                     *           "limit_id": "01a20521-ee17-716b-ba27-7fc7358ef1c5",
                     *           "key_id": null,
                     *           "unit": "tokens",
                     *           "window": "minute",
                     *           "amount": 100000,
                     *           "used": 1250,
                     *           "resets_at": "2026-11-21T03:54:00.000Z"
                     *         }
                     *       ],
                     *       "projection": {
                     *         "from": "2026-11-14T00:00:00.000Z",
                     *         "to": "2026-11-20T12:00:00.000Z",
                     *         "counted": 2600,
                     *         "per_day": 400,
                     *         "used_at_reset": 12600,
                     *         "exhausts_at": "2026-11-24T12:00:00.000Z",
                     *         "explanation": "2600 requests have been counted since 2026-11-14 (400 per day). At this rate you’ll reach your limit on 2026-11-24."
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
                /** @description The first day, in UTC. Default: the first day of the month of `to`. */
                from?: string;
                /** @description The last day, inclusive, in UTC. Default: today. */
                to?: string;
                /** @description Reports only this key. */
                key_id?: string;
                format?: "csv" | "json";
            };
            header?: {
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description A file with one row per day, key and model, oldest first. */
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
                     * @example day,key_id,key_name,counted,cached,failed,texts,tokens,model
                     *     2026-11-20,01a19672-ac20-7527-8bb1-6cefd3e9e3ee,laptop,70,21,1,340,4420,universal-sentence-encoder-lite
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
            query?: {
                /** @description Maximum number of rows in the response. */
                limit?: number;
                /** @description The value of `next` from the page before, with the same `sort`, `q` and filters. It stays valid when rows are added or deleted. */
                after?: string;
                /** @description The order. A minus sign reverses it: `-created` lists the newest rows first. */
                sort?: "created" | "-created";
                /** @description `open`: lists only the alerts that nobody has acknowledged. `acknowledged`: only the others. */
                status?: "open" | "acknowledged";
            };
            header?: {
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description A page of the alerts, by default newest first. */
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
                     *       ],
                     *       "has_more": false,
                     *       "next": null
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The acknowledged alert. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The organization’s alert settings. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The organization’s alert settings. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
            query?: {
                /** @description Maximum number of rows in the response. */
                limit?: number;
                /** @description The value of `next` from the page before, with the same `sort`, `q` and filters. It stays valid when rows are added or deleted. */
                after?: string;
                /** @description The order. A minus sign reverses it: `-created` lists the newest rows first. */
                sort?: "created" | "-created";
            };
            header?: {
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description A page of the notification channels, by default oldest first. */
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
                     *       ],
                     *       "has_more": false,
                     *       "next": null
                     *     }
                     */
                    "application/json": components["schemas"]["AlertTargetList"];
                };
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The notification channel, with its secret. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The message will be sent immediately. The list of deliveries shows the result. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The organization’s quota is used up: texts in the cache are still answered, and other requests again from `X-RateLimit-Reset` on. Or the organization has too many or too large requests in progress. On routes for people: there were too many attempts, or too many messages are waiting to be sent. Try again after `Retry-After`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description Maximum number of rows in the response. */
                limit?: number;
                /** @description The value of `next` from the page before, with the same `sort`, `q` and filters. It stays valid when rows are added or deleted. */
                after?: string;
                /** @description The order. A minus sign reverses it: `-created` lists the newest rows first. */
                sort?: "created" | "-created";
                /** @description Lists only the deliveries to this channel. */
                target_id?: string;
                /** @description Lists only the deliveries with this status. */
                status?: "pending" | "delivered" | "failed";
            };
            header?: {
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description A page of the deliveries, by default newest first. The service keeps an organization’s newest 1,000 deliveries for 90 days. */
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
                     *       ],
                     *       "has_more": false,
                     *       "next": null
                     *     }
                     */
                    "application/json": components["schemas"]["AlertDeliveryList"];
                };
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The message will be sent immediately. The list of deliveries shows the result. */
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
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The organization’s quota is used up: texts in the cache are still answered, and other requests again from `X-RateLimit-Reset` on. Or the organization has too many or too large requests in progress. On routes for people: there were too many attempts, or too many messages are waiting to be sent. Try again after `Retry-After`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
    listLimits: {
        parameters: {
            query?: {
                /** @description Lists the limits of this key. Without it, lists those of the organization itself. */
                key_id?: string;
            };
            header?: {
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
            /** @description The limits of the organization or of the key: at most one of each unit and window. */
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
                     *           "limit_id": "01a20521-ee17-716b-ba27-7fc7358ef1c5",
                     *           "key_id": null,
                     *           "unit": "tokens",
                     *           "window": "minute",
                     *           "amount": 100000,
                     *           "used": 1250,
                     *           "resets_at": "2026-11-21T03:54:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["LimitList"];
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
    createLimit: {
        parameters: {
            query?: never;
            header?: {
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
                "application/json": components["schemas"]["CreateLimitRequest"];
            };
        };
        responses: {
            /** @description The limit. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "limit_id": "01a20521-ee17-716b-ba27-7fc7358ef1c5",
                     *       "key_id": null,
                     *       "unit": "tokens",
                     *       "window": "minute",
                     *       "amount": 100000,
                     *       "used": 1250,
                     *       "resets_at": "2026-11-21T03:54:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Limit"];
                };
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
    deleteLimit: {
        parameters: {
            query?: never;
            header?: {
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
                limit_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
    updateLimit: {
        parameters: {
            query?: never;
            header?: {
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters. */
                org_id: string;
                limit_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 200000
                 *     }
                 */
                "application/json": components["schemas"]["UpdateLimitRequest"];
            };
        };
        responses: {
            /** @description The limit. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "limit_id": "01a20521-ee17-716b-ba27-7fc7358ef1c5",
                     *       "key_id": null,
                     *       "unit": "tokens",
                     *       "window": "minute",
                     *       "amount": 100000,
                     *       "used": 1250,
                     *       "resets_at": "2026-11-21T03:54:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Limit"];
                };
            };
            /** @description The JSON is malformed or a field is wrong; the message names the field. The request is not counted. */
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
            /** @description `invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong. */
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
            /** @description The caller does not have permission, or the request came from another site’s page. */
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
            /** @description There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two. */
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
            /** @description The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured. */
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
            /** @description The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured. */
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
            /** @description The `Content-Type` is not `application/json`. */
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
            /** @description The service has failed because of a bug. The request is not counted. */
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
            /** @description `overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`. */
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
                /** @description The format of errors: ours (`flat`) or OpenAI’s. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description An id for this request, which appears in the response and in the log. */
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
