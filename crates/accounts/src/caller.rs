//! The caller of an operation: the person at the machine, anyone, or an account.

use std::sync::Arc;

use super::{
    Account,
    key_limits::KeyScope,
    plans::{AccountPlan, AccountPlans},
};

/// The caller of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// The person at the machine itself, who needs no key and is not charged.
    Machine,
    /// Anyone: the operation is open.
    Anyone,
    /// An account.
    Account {
        /// Its id.
        account: u32,
        /// How it authenticated.
        via: Via,
        /// Its plan.
        plan: Arc<AccountPlan>,
        /// What the key that it came with may read; `None` if it may read everything.
        scope: Option<Arc<KeyScope>>,
    },
}

/// How an account authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// Its owner signed in with a browser.
    Browser,
    /// By the key of this id.
    Key(u64),
    /// By an OAuth client that its owner authorized, under the grant of this id.
    Client(u64),
}

impl Caller {
    /// An account as a caller; `None` if it is disabled.
    pub(super) fn from_account(plans: &AccountPlans, account: &Account, via: Via) -> Option<Self> {
        account.active.then(|| Self::Account {
            account: account.id,
            via,
            plan: plans.plan_of_account(&account.plan).clone(),
            scope: None,
        })
    }

    /// The caller with the scope of its key.
    pub(super) fn with_scope(mut self, key_scope: KeyScope) -> Self {
        if let Self::Account { scope, .. } = &mut self
            && !key_scope.is_unrestricted()
        {
            *scope = Some(Arc::new(key_scope));
        }
        self
    }

    /// What the key that it came with may read; `None` if it may read everything.
    pub fn key_scope(&self) -> Option<&KeyScope> {
        match self {
            Self::Account { scope, .. } => scope.as_deref(),
            Self::Machine | Self::Anyone => None,
        }
    }
}
